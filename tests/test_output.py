"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from handoffctl.errors import UsageError
from handoffctl.output import standard_output, written_file


def write(path: Path, text: bytes, *, backup: bool = False) -> None:
    with written_file(str(path), backup=backup) as stream:
        stream.write(text)


def test_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    path, other = tmp_path / "new", tmp_path / "other"
    write(path, b"text")
    other.touch()
    assert path.read_bytes() == b"text"
    assert path.stat().st_mode == other.stat().st_mode
    assert sorted(each.name for each in tmp_path.iterdir()) == ["new", "other"]


def test_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")
    path.chmod(0o640)
    write(path, b"after")
    assert path.read_bytes() == b"after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["old"]


def test_backup_is_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")
    write(path, b"after", backup=True)
    assert ((tmp_path / "old.bak").read_bytes(), path.read_bytes()) == (b"before", b"after")
    write(tmp_path / "new", b"x", backup=True)
    assert not (tmp_path / "new.bak").exists()


def test_nothing_changes_until_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")
    with written_file(str(path)) as stream:
        stream.write(b"after")
        stream.flush()
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"before")
    with pytest.raises(error), written_file(str(path), backup=True) as stream:
        stream.write(b"half")
        raise error
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["old"]


def test_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"before")
    link.symlink_to(real)
    write(link, b"after", backup=True)
    assert link.is_symlink()
    assert real.read_bytes() == b"after"
    assert (tmp_path / "real.bak").read_bytes() == b"before"


@pytest.mark.parametrize("name", ["", "missing/file", "file/below", "zero\0byte"])
def test_place_that_can_not_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / name if name else tmp_path
    with pytest.raises(UsageError, match="can't write there") as caught:
        write(path, b"x")
    assert caught.value.place == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_standard_output_takes_bytes(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with standard_output() as stream:
        stream.write(b"\xff\n")
    assert capfdbinary.readouterr().out == b"\xff\n"
    os.fstat(1)
