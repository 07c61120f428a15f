import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from stranger import stranger

from companion.app import config

BUTTON = '[[buttons]]\nseat = "{}"\npin = {}\n'
USB = '[[buttons]]\nseat = "{}"\ndevice = "/dev/input/event2"\ncode = {}\n'


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
        ("[web]\nprot = 80\n", "there are host, port and names"),
        ("[vision]\nage = 1\n", "unknown field `age`; there is only frame_age_s"),
        ('[camera]\nkind = "v4l2"\ndevice = -1\n', "device is -1; write the camera's number, 0 or more"),
        ("colour = 1\n", "there are game, data, deck, camera, buttons, gpio, windows, web and vision"),
        ('[camera]\nkind = "webcam"\n', 'camera: kind is "webcam"; write one of "auto", "picamera2"'),
        ('[camera]\nkind = "folder"\n', 'kind = "folder" needs a path; write path = "/where/it/is"'),
        ('[camera]\nkind = "picamera2"\ndevice = "/dev/video0"\n', "write the number of the Pi's camera"),
        ("[camera]\nsize = [1280]\n", "camera.size: expected `array` of length 2"),
        ("[camera]\nfps = 0\n", "camera.fps: expected `float` >= 1"),
        ("[camera]\ninterval = -1\n", "camera.interval: expected `float` >= 0"),
        (
            BUTTON.format("seat-1", 99),
            "buttons[0]: pin is 99, which is no free GPIO of a Pi; write the GPIO's number",
        ),
        (BUTTON.format("seat-1", 0), "2 to 27"),
        (BUTTON.format("seat-1", '"GPIO17"'), "buttons[0].pin: expected `int`, got `str`"),
        (BUTTON.format("seat-1", 17) + "light = 40\n", "light is 40, which is no free GPIO"),
        (BUTTON.format("Seat 1", 17), 'seat is "Seat 1"; write it as the game does: "seat-1", "seat-2"'),
        (BUTTON.format("seat-7", 17), 'seat is "seat-7"; write it as the game does: "seat-1", "seat-2"'),
        (BUTTON.format("red-pirat", 17), '"red-sailor", "yellow-sailor" or "blue-sailor"'),
        (BUTTON.format("seat-1", 17).replace("[[buttons]]", "[buttons]"), "write [[buttons]] with two brackets"),
        (BUTTON.format("seat-1", 17) + "colour = 1\n", "there are seat, pin, light, device and code"),
        (BUTTON.format("seat-1", 17) + BUTTON.format("seat-2", 17), "GPIO 17 is used twice"),
        (BUTTON.format("seat-1", 17) + BUTTON.format("seat-2", 18) + "light = 17\n", "GPIO 17 is used twice"),
        (BUTTON.format("seat-1", 17) + BUTTON.format("seat-1", 18), 'two have seat = "seat-1"; give each'),
        (
            "".join(BUTTON.format(seat, pin) for pin, seat in enumerate(config.SEAT_NAMES[:7], 10)),
            "there are 7; a table has 6 at most",
        ),
        ('[[buttons]]\nseat = "seat-1"\n', "a button has either a pin (GPIO) or a device (USB); write pin = 17"),
        (BUTTON.format("seat-1", 17) + 'device = "/dev/input/event2"\ncode = 2\n', "either a pin (GPIO) or a device"),
        ('[[buttons]]\nseat = "seat-1"\ndevice = "/dev/input/event2"\n', "the number of its key, as evtest shows it"),
        (BUTTON.format("seat-1", 17) + "code = 2\n", "a USB button has a device and a code"),
        (USB.format("seat-1", 900), "buttons[0].code: expected `int` <= 767"),
        (BUTTON.format("seat-1", 17) + USB.format("seat-2", 2), "some are on GPIO and some on USB"),
        (USB.format("seat-1", 2) + USB.format("seat-2", 2), "two have the key 2 of /dev/input/event2; give each"),
        ("[gpio]\nbuzzer = 1\n", "gpio: buzzer is 1, which is no free GPIO of a Pi; write"),
        (BUTTON.format("seat-1", 17) + "[gpio]\nbuzzer = 17\n", "GPIO 17 is used twice"),
        ("[gpio]\nallow_software_time = 1\n", "gpio.allow_software_time: expected `bool`"),
        ("[windows]\ntie = 5\n", "windows.tie: expected `float` <= 2"),
        ("[windows]\ntie = nan\n", "windows.tie: expected `float` >= 0.25"),
        ("[windows]\nconfirm = 1\n", "windows.confirm: expected `float` >= 2"),
        ("[windows]\nconfirm = 25\n", "windows.confirm: expected `float` <= 20"),
        ("[windows]\nsettle = 0\n", "windows.settle: expected `float` >= 10"),
        ("[windows]\nquiet = 3\n", "windows.quiet: expected `float` >= 6"),
        ("[windows]\nquiet = 200\n", "windows.quiet: expected `float` <= 100"),
        ("[vision]\nframe_age_s = 0.001\n", "vision: frame_age_s is 0.001, shorter than a camera may take for a frame"),
        ('data = "a\\u0000b"\n', "data: there is a NUL (\\u0000) in it, which no name has."),
        ('[camera]\npath = "a\\u0000b"\n', "camera.path: there is a NUL"),
        (f"a = {'9' * 10_000}\n", "not valid TOML: A number has thousands of digits."),
        (f"a = {'[' * 5000}\n", "not valid TOML: Hundreds of brackets stand within one another."),
        ('game = "pook"\n', 'game is "pook"; write one of hook, hooked.'),
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
    with pytest.raises(config.ConfigError, match=r"cannot be read .* Save it as UTF-8 text\."):
        config.load(path)


def test_a_folder_in_the_place_of_a_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(config.ConfigError, match=r"cannot be read \(Is a directory\)\. Give a file that"):
        config.load(tmp_path)


@pytest.mark.parametrize("shut", ["home", "home/tabletop-companion/companion.toml"])
def test_a_file_that_may_not_be_read_is_said_also_where_it_was_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shut: str
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    path = tmp_path / "home" / "tabletop-companion" / "companion.toml"
    path.parent.mkdir(parents=True)
    path.write_text("", encoding="utf-8")
    (tmp_path / shut).chmod(0)
    for named in (None, path):
        with stranger(), pytest.raises(config.ConfigError) as caught:
            config.load(named)
        assert str(caught.value).startswith(f"{path}: the config file cannot be read: the user ")
        assert str(caught.value).endswith(". Let everybody read it, or give another with --config.")
    (tmp_path / shut).chmod(0o755)


def test_a_place_that_leads_in_a_circle_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "tabletop-companion").symlink_to(tmp_path / "tabletop-companion")
    with pytest.raises(config.ConfigError, match=rf"^{tmp_path}/tabletop-companion/companion\.toml: .* cannot be read"):
        config.load()


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    assert config.load(write(tmp_path, "\ufeff[web]\nport = 9000\n")).web.port == 9000


def test_a_whole_table_is_read(tmp_path: Path) -> None:
    loaded = config.load(
        write(
            tmp_path,
            'game = "hook"\n[camera]\nkind = "v4l2"\ndevice = "/dev/video2"\nsize = [1920, 1080]\n'
            + "".join(BUTTON.format(f"seat-{n}", n + 10) + f"light = {n + 20}\n" for n in range(1, 7))
            + '[gpio]\nchip = "pinctrl-rp1"\n[windows]\ntie = 0.5\nfalse_start = 120\n',
        )
    )
    assert loaded.camera.size == (1920, 1080)
    assert loaded.buttons[5] == config.Button("seat-6", 16, 26)
    assert loaded.windows.given == {"tie": 0.5, "false_start": 120}


def test_the_example_that_is_installed_is_right_as_it_is_and_with_all_its_lines() -> None:
    example = Path(__file__).parents[3] / "systemd" / "companion.toml"
    assert config.load(example) == config.Config()
    text = example.read_text(encoding="utf-8")
    lines = [line.removeprefix("#") for line in text.splitlines() if not line.startswith("# ")]
    filled = config.msgspec.convert(config.tomllib.loads("\n".join(lines)), config.Config)
    assert len(filled.buttons) == 6


@pytest.mark.parametrize(
    ("spec", "camera"),
    [
        ("none", config.Camera("none")),
        ("folder:/tmp/a:b", config.Camera("folder", path="/tmp/a:b")),
        ("video:x.mp4", config.Camera("video", path="x.mp4")),
        ("v4l2:/dev/video2", config.Camera("v4l2", device="/dev/video2")),
        ("picamera2:1", config.Camera("picamera2", device=1)),
        ("v4l2:²", config.Camera("v4l2", device="²")),
    ],
)
def test_a_camera_can_be_named_on_the_command_line(spec: str, camera: config.Camera) -> None:
    assert config.Config().with_camera(spec).camera == camera


def test_a_wrong_camera_on_the_command_line_is_said() -> None:
    with pytest.raises(config.ConfigError, match=r'--camera webcam:1: kind is "webcam"; write one of "auto"'):
        config.Config().with_camera("webcam:1")
