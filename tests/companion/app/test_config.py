from pathlib import Path

import pytest

from companion.app import config


def write(folder: Path, text: str) -> Path:
    path = folder / "companion.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_value_has_a_default(tmp_path: Path) -> None:
    assert config.load(write(tmp_path, "")) == config.Config()


def test_values_are_read(tmp_path: Path) -> None:
    loaded = config.load(write(tmp_path, f'data = "{tmp_path}"\n[web]\nport = 9000\n'))
    assert loaded.web.port == 9000
    assert loaded.data_folder == tmp_path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[web]\nport = 99999\n", "web.port: expected `int` <= 65535"),
        ('[web]\nport = "http"\n', "web.port: expected `int`, got `str`"),
        ("[web]\nprot = 80\n", "unknown field `prot`"),
        ('data = ""\n', "data: expected `str` of length >= 1"),
        ("[vision]\nframe_age_s = 0\n", "vision.frame_age_s: expected `float` > 0"),
        ("[web\n", "not valid TOML"),
    ],
)
def test_a_wrong_value_is_named_with_what_to_do(tmp_path: Path, text: str, says: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(config.ConfigError) as caught:
        config.load(path)
    assert str(path) in str(caught.value)
    assert says in str(caught.value)
    assert "Mend" in str(caught.value)


def test_a_named_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(config.ConfigError, match="there is no such config file"):
        config.load(tmp_path / "nowhere.toml")


def test_a_file_that_is_not_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(config.ConfigError, match="cannot be read"):
        config.load(path)
