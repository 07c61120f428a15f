"""The pictures of doubts: durable, bounded, and no way out of their folder."""

import os

from companion.core.pictures import Pictures


def jpeg(number, size=1000):
    return bytes([number]) * size


def test_a_picture_is_kept_under_the_name_of_its_content(tmp_path):
    pictures = Pictures(tmp_path / "pictures")
    name = pictures.put(jpeg(1))
    assert pictures.put(jpeg(1)) == name
    assert pictures.put(jpeg(2)) != name
    assert Pictures(tmp_path / "pictures").get(name) == jpeg(1)
    assert sorted(path.suffix for path in (tmp_path / "pictures").iterdir()) == [".jpg", ".jpg"]


def test_no_name_leads_out_of_the_folder(tmp_path):
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    pictures = Pictures(tmp_path / "pictures")
    for name in ("../secret.jpg", "/etc/passwd", "", "..", "0" * 24, "0" * 24 + ".jpg", "0" * 24 + ".jpg\n"):
        assert pictures.get(name) is None


def test_the_oldest_go_when_there_are_too_many_but_not_those_in_use(tmp_path):
    pictures = Pictures(tmp_path, limit=3000)
    names = [pictures.put(jpeg(number)) for number in range(3)]
    assert all(pictures.get(name) for name in names)
    names.append(pictures.put(jpeg(3), keep=[names[0]]))
    assert [pictures.get(name) is not None for name in names] == [True, False, True, True]
    names.append(pictures.put(jpeg(4)))
    assert [pictures.get(name) is not None for name in names] == [False, False, True, True, True]


def test_the_bound_holds_after_a_restart(tmp_path):
    first = Pictures(tmp_path, limit=3000)
    names = [first.put(jpeg(number)) for number in range(3)]
    for age, name in enumerate(names):
        os.utime(tmp_path / name, ns=(age, age))
    again = Pictures(tmp_path, limit=3000)
    names.append(again.put(jpeg(3)))
    assert [again.get(name) is not None for name in names] == [False, True, True, True]


def test_a_disk_that_refuses_costs_the_picture_and_nothing_else(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    pictures = Pictures(tmp_path / "file" / "pictures")
    assert pictures.put(jpeg(1)) is None
    assert "was not kept" in caplog.text
