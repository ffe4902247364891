"""Which files of a folder are imported."""

import os
import re
from pathlib import Path
from unittest.mock import Mock

import pytest
from goldpan.errors import InvalidRequest
from goldpan_local.library_files.folder import find_files, id_of, origin_of


def test_a_folder_is_searched_for_the_files_that_can_be_read(tmp_path: Path) -> None:
    """In all folders below it, but those whose names begin with a dot, whatever the case of the suffix."""
    for name in ("a.md", "below/deep/b.TXT", "C.bib", "d.jsonl.gz", ".git/e.md", ".hidden.md", "f.pdf", "g.docx"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    os.mkfifo(tmp_path / "pipe.md")
    found = find_files(tmp_path)
    names = [str(path.relative_to(tmp_path)) for path in found.files]
    assert names == ["C.bib", "a.md", "d.jsonl.gz", "f.pdf", "below/deep/b.TXT"]
    [note] = found.notes()
    assert note.endswith("hidden, whose names begin with a dot (2), .docx (1), links to nothing, and pipes (1)")


def test_links_are_followed_once(tmp_path: Path) -> None:
    """A link that leads back to the folder, or above it, ends nowhere; a linked folder is read."""
    folder, other = tmp_path / "folder", tmp_path / "other"
    for path in (folder, other):
        path.mkdir()
    (folder / "a.md").touch()
    (other / "b.md").touch()
    for name, target in {"loop": ".", "up": "..", "linked": "../other", "again": "../other", "c.md": "a.md"}.items():
        (folder / name).symlink_to(target)
    (folder / "gone.md").symlink_to("nowhere")
    assert [path.name for path in find_files(folder).files] == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("none", "none: no such file or folder"),
        ("empty", r"empty: has no files to import \(names that end in \.json"),
        ("a.docx", r"a\.docx: its name must end in \.json"),
        ("pipe", "pipe: is neither a file nor a folder"),
    ],
)
def test_what_cannot_be_imported_is_refused(name: str, fault: str, tmp_path: Path) -> None:
    """The message names the path and what is allowed."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.docx").touch()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidRequest, match=fault):
        find_files(tmp_path / name)


def test_a_file_is_gone_only_if_its_folder_could_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a folder without permission holds is not known to be gone; nor is what lies elsewhere."""
    (tmp_path / "a.md").touch()
    with monkeypatch.context() as locked:
        locked.setattr(Path, "is_dir", lambda _path: True)
        locked.setattr(Path, "stat", Mock(side_effect=PermissionError))
        found = find_files(tmp_path)
    assert found.files == [tmp_path / "a.md"]
    found.unread.append(PermissionError(13, "Permission denied", str(tmp_path / "locked")))
    names = ("b.md", "locked/c.md", "../d.md", f"../{tmp_path.name}-2/e.md")
    assert [name for name in names if found.has_left(os.path.normpath(tmp_path / name))] == ["b.md"]
    assert id_of(tmp_path / "a.jsonl") != id_of(tmp_path / "below" / "a.jsonl"), "records without an id get it"
    assert origin_of(os.fsdecode(b"caf\xe9.md")) == "caf\\xe9.md"
    assert re.fullmatch(r"c-my-notes-a{29}-[0-9a-f]{8}", id_of(Path(f"C#: My_notes {'a' * 90}.jsonl.gz")))
