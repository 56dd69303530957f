"""What a shell command reads and writes."""

import builtins
import posixpath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders import shell_grammar
from catchkit.builders.corpus import Edit
from catchkit.builders.pyfiles import opened_files
from catchkit.builders.shell import file_accesses
from catchkit.errors import MissingExtraError

NAMES = st.text("abcxyz", min_size=1, max_size=6).map(lambda stem: f"{stem}.py")


def found(command: str, cwd: str | None = "") -> list[str]:
    """Return the accesses of a command, each as ``r`` or ``w`` and the path."""
    return [f"{touch.access[0]} {touch.resource}" for touch in file_accesses(command, cwd).touches]


READS = {
    "cat": ("cat a.py b.txt", ["r a.py", "r b.txt"]),
    "head with a number": ("head -n 20 a.py; head -20 b.py", ["r a.py", "r b.py"]),
    "tail attached": ("tail -n+3 a.py", ["r a.py"]),
    "nl into sed": ("nl -ba a.py | sed -n '3,9p'", ["r a.py"]),
    "sed prints": ("sed -n -e 1,2p -e 4p a.py", ["r a.py"]),
    "grep": ("grep -n -A 3 'cat b.py' a.py", ["r a.py"]),
    "grep by option": ("grep -e one --regexp two a.py", ["r a.py"]),
    "grep in folders": ("grep -rn word src lib/v1.2 setup.py", ["r setup.py"]),
    "standard input": ("sort < a.txt", ["r a.txt"]),
    "inside a substitution": ('echo "$(cat a.py)" <(sort b.txt)', ["r a.py", "r b.txt"]),
    "script": ("python3 -u run.py --out x.py", ["r run.py"]),
    "module given files": ("python -m pytest -x tests/a.py::T::f tests", ["r tests/a.py"]),
    "wrapped": ("sudo -u me timeout -s 9 60 env A=1 cat a.py", ["r a.py"]),
    "grep ignoring case": ("grep -iA 3 word a.py", ["r a.py"]),
    "from a place on": ("tail +5 a.py; less +10 b.py", ["r a.py", "r b.py"]),
    "nothing but a redirection": ("echo $(< a.txt)", ["r a.txt"]),
    "a patch file": ("git apply a.diff; patch -p1 -i b.diff", ["r a.diff", "r b.diff"]),
    "diff of a commit": ("git diff HEAD~1..HEAD -- a.py", ["r a.py"]),
}
WRITES = {
    "redirection": ("echo x > a.txt; echo y >> b.txt 2>&1", ["w a.txt", "w b.txt"]),
    "sed in place": ("sed -i.bak 's/a b/c/' a.py", ["w a.py"]),
    "sed in place, clustered": ("sed -ri 's/a/b/' a.py", ["w a.py"]),
    "sed in place, suffix apart": ("sed -i '' s/a/b/ a.py", ["w a.py"]),
    "awk in place": ("awk -i inplace '{print}' a.py", ["w a.py"]),
    "emptied": (": > a.txt; > b.txt", ["w a.txt", "w b.txt"]),
    "output option": (
        "sort a.txt -o b.txt; curl -o c.txt http://x",
        ["r a.txt", "w b.txt", "w c.txt"],
    ),
    "perl in place": ("perl -pi -e 's/a/b/' a.py", ["w a.py"]),
    "tee": ("echo x | tee -a a.txt b.txt", ["w a.txt", "w b.txt"]),
    "here-document": ("cat <<'END' > a.py\nopen('b.py'); cat c.py > d.py\nEND", ["w a.py"]),
    "here-document, marker last": ("cat > a.py << END\n$(x)\nEND\n", ["w a.py"]),
    "then more": ("cat <<E > a.py && python a.py\nx\nE", ["w a.py", "r a.py"]),
    "copy": ("cp a.py b.py", ["r a.py", "w b.py"]),
    "copy into a folder": ("cp a.py b.py lib", ["r a.py", "r b.py", "w lib/a.py", "w lib/b.py"]),
    "copy, folder first": ("cp -t lib a.py", ["r a.py", "w lib/a.py"]),
    "move": ("mv a.py lib/", ["w a.py", "w lib/a.py"]),
    "remove": ("rm -f a.py", ["w a.py"]),
    "remove a folder": ("rm -rf build a.py", ["w a.py"]),
    "restore": ("git checkout HEAD -- a.py", ["w a.py"]),
    "patch": ("patch -p1 <<E\n--- a/x.py\n+++ b/x.py\nE", ["w x.py"]),
    "after reading it": ("sort a.txt > b.txt", ["r a.txt", "w b.txt"]),
}
NEITHER = {
    "only listed": "ls a.py && find . -name b.py",
    "null device": "pytest > /dev/null 2>&1",
    "unknown names": 'cat *.py {a,b}.py "$FILE" $(pwd)/x',
    "text that looks like a command": "echo 'cat a.py > b.py' # cat c.py",
    "no files": "import os",
    "letters that crash the bare grammar": "\U00059676Bqc\u0226\x06\u0187{\U0008c19f\U0009c82b {",
    "nothing": "",
}


@pytest.mark.parametrize(("command", "accesses"), READS.values(), ids=READS)
def test_it_finds_what_is_read(command: str, accesses: list[str]) -> None:
    assert found(command) == accesses


@pytest.mark.parametrize(("command", "accesses"), WRITES.values(), ids=WRITES)
def test_it_finds_what_is_written(command: str, accesses: list[str]) -> None:
    assert found(command) == accesses


@pytest.mark.parametrize("command", NEITHER.values(), ids=NEITHER)
def test_it_finds_no_file_where_none_is_named(command: str) -> None:
    reading = file_accesses(command)
    assert reading.touches == ()
    assert reading.is_parsed


FOLDERS = {
    "joined": ("cd src && cat a.py ../b.py /c.py", ["r src/a.py", "r b.py", "r /c.py"]),
    "of a redirection": ("cd src && cat a.py > b.txt", ["r src/a.py", "w src/b.txt"]),
    "left again": ("(cd src; cat a.py); cat a.py", ["r src/a.py", "r a.py"]),
    "one after another": ("cd src\ncd lib\ncat a.py", ["r src/lib/a.py"]),
    "put back": ("pushd src; cat a.py; popd; cat a.py", ["r src/a.py", "r a.py"]),
    "back": ("cd src; cd lib; cd -; cat a.py", ["r src/a.py"]),
    "unknown": ("cd $HERE && cat a.py /b.py", ["r /b.py"]),
    "in an inner shell": (
        "cd src && bash -lc 'cd x; cat a.py'; ls > b",
        ["r src/x/a.py", "w src/b"],
    ),
    "in a program": ("cd src && python -c 'open(\"a.py\")'", ["r src/a.py"]),
}


@pytest.mark.parametrize(("command", "accesses"), FOLDERS.values(), ids=FOLDERS)
def test_relative_paths_follow_cd(command: str, accesses: list[str]) -> None:
    assert found(command) == accesses


def test_relative_paths_begin_where_the_shell_is() -> None:
    assert found("cat ./a.py; cat /repo//b.py", cwd="/repo") == ["r /repo/a.py", "r /repo/b.py"]
    assert found("cat a.py /b.py", cwd=None) == ["r /b.py"]
    assert file_accesses("cd src && ls", "/repo").cwd == "/repo/src"


def test_letters_beyond_ascii_are_letters() -> None:
    command = "cat 'übung 1.py' naïve.py \"é $(cat ß.py)\" > \U0001f40d.txt"
    assert found(command) == ["r ß.py", "r übung 1.py", "r naïve.py", "w \U0001f40d.txt"]


VARIABLES = {
    "assigned": ('F="a b.py"; cat "$F" "lib/${F}"', ["r a b.py", "r lib/a b.py"]),
    "exported": ("export F=a.py && cat $F", ["r a.py"]),
    "looped over": ("for f in a.py b.py; do cat $f; done", ["r a.py", "r b.py"]),
    "of one command only": ("F=a.py ls; cat $F", []),
    "assigned something unknown": ("F=a.py; F=$(x); cat $F", []),
}


@pytest.mark.parametrize(("command", "accesses"), VARIABLES.values(), ids=VARIABLES)
def test_variables_are_followed_while_their_value_is_written_out(
    command: str, accesses: list[str]
) -> None:
    assert found(command) == accesses


PROGRAMS = {
    "read and written": (
        "p = 'a.py'\ns = open(p).read()\nwith open(p, 'w') as f:\n    f.write(s)",
        ["r a.py", "w a.py"],
    ),
    "paths": (
        "from pathlib import Path\np = Path('lib') / 'a.py'\np.write_text(p.read_text())",
        ["r lib/a.py", "w lib/a.py"],
    ),
    "a list": ("for p in ['a', 'b']:\n    print(open(p, mode='rb').read())", ["r a", "r b"]),
    "joined": ("import os\nos.remove(os.path.join('lib', 'a.py'))", ["w lib/a.py"]),
    "copied": ("import shutil\nshutil.copy('a.py', 'b.py')", ["r a.py", "w b.py"]),
    "in place": ("import fileinput\nfileinput.input('a.py', inplace=True)", ["w a.py"]),
    "known at run time only": ("import sys\nopen(sys.argv[1]); open(f'{x}.py')", []),
}  # fmt: skip


@pytest.mark.parametrize(("program", "accesses"), PROGRAMS.values(), ids=PROGRAMS)
def test_programs_in_the_command_are_read_too(program: str, accesses: list[str]) -> None:
    assert found(f"python3 - <<'END'\n{program}\nEND") == accesses


SCRIPT = "cat <<'END' > fix.py\np = 'a.py'\nopen(p, 'w').write('')\nEND\n"
SCRIPTS = {
    "at once": (SCRIPT + "python fix.py", ["w fix.py", "r fix.py", "w a.py"]),
    "elsewhere": (SCRIPT + "cd x && python ../fix.py", ["w fix.py", "r fix.py", "w x/a.py"]),
    "of the shell": (
        "cat > go.sh <<E\ncat a.py > b.py\nE\nbash go.sh",
        ["w go.sh", "r go.sh", "r a.py", "w b.py"],
    ),
    "directly": ("cat > go.sh <<E\nrm a.py\nE\n./go.sh 1", ["w go.sh", "r go.sh", "w a.py"]),
    "changed since": (
        SCRIPT + "sed -i s,a,b, fix.py; python fix.py",
        ["w fix.py"] * 2 + ["r fix.py"],
    ),
    "appended to": ("cat >> fix.py <<E\nopen('a.py')\nE\npython fix.py", ["w fix.py", "r fix.py"]),
    "changed on its way": (
        "sed s,a,b, <<E > fix.py\nopen('a.py')\nE\npython fix.py",
        ["w fix.py", "r fix.py"],
    ),
    "with an option of its own": ("python fix.py -c 'open(\"a.py\")'", ["r fix.py"]),
}  # fmt: skip


@pytest.mark.parametrize(("command", "accesses"), SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_of_known_text_is_read_when_it_is_run(command: str, accesses: list[str]) -> None:
    assert found(command) == accesses


def test_a_script_written_by_an_earlier_command_is_known() -> None:
    texts = file_accesses(SCRIPT, "/repo").texts
    assert list(texts) == ["/repo/fix.py"]
    later = file_accesses("python3 fix.py && rm fix.py", "/repo", texts)
    assert [touch.resource for touch in later.touches][1] == "/repo/a.py"
    assert later.texts == {}
    assert list(texts) == ["/repo/fix.py"]


EDITS = {
    "numbered lines": ("cd lib && sed -i '3,5c\\new' a.py", [Edit(path="lib/a.py", lines=(3, 5))]),
    "one line": ("sed -i.bak -E '7s/a/b/' a.py", [Edit(path="a.py", lines=(7, 7))]),
    "a whole file": ("cat > a.py <<E\nx = 1\nE", [Edit(path="a.py", new="x = 1\n")]),
    "lines of unknown number": ("sed -i '/x/d; $d' a.py; sed -i '3,$d' a.py", []),
    "only printed": ("sed -n '3,5p' a.py; sed 3d a.py", []),
    "turned around": ("sed -i 5,3d a.py", []),
    "what cannot be parsed": ("sed -i 3d a.py; (", []),
}


@pytest.mark.parametrize(("command", "edits"), EDITS.values(), ids=EDITS)
def test_it_knows_what_a_command_replaces(command: str, edits: list[Edit]) -> None:
    assert list(file_accesses(command).edits) == edits


UNPARSED = {
    "no shell": "x = open(3",
    "an open quotation": "sed -i 's/a/b a.py",
    "a program that is none": 'cat a.py; python3 -c "def f(:"',
    "nested too deep": "(" * 5000 + "ls" + ")" * 5000,
    "a script that calls itself": "cat > x.sh <<E\nbash x.sh; bash x.sh\nE\nbash x.sh",
    "a script that is none": "cat > x.py <<E\ndef f(:\nE\npython x.py",
    "too many turns": "for i in 1 2 3 4 5 6 7 8 9; do " * 6 + "cat a.py; " + "done; " * 6,
}


@pytest.mark.parametrize("command", UNPARSED.values(), ids=UNPARSED)
def test_what_cannot_be_parsed_is_said(command: str) -> None:
    assert not file_accesses(command).is_parsed


@given(st.text())
def test_no_text_raises(text: str) -> None:
    file_accesses(text)
    file_accesses(f"python3 - <<'END'\n{text}\nEND")
    opened_files(text)


@given(st.lists(NAMES, min_size=1, max_size=4), NAMES)
def test_quoting_a_name_changes_nothing(names: list[str], target: str) -> None:
    plain = f"cat {' '.join(names)} > {target}"
    quoted = "cat " + " ".join(f"'{name}'" for name in names) + f' > "{target}"'
    assert found(plain) == found(quoted) == [*(f"r {name}" for name in names), f"w {target}"]


@given(NAMES, st.sampled_from(["/r", "/r/s", "/"]))
def test_every_resource_is_normal_and_absolute_where_the_folder_is(name: str, cwd: str) -> None:
    for touch in file_accesses(f"cat ./{name} ../{name} x/../{name} > /tmp//{name}", cwd).touches:
        assert posixpath.isabs(touch.resource)
        assert posixpath.normpath(touch.resource) == touch.resource


def test_a_missing_parser_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    known = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("tree_sitter"):
            raise ImportError(name)
        return known(name, *rest)

    shell_grammar.parser.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"catchkit\[shell\]"):
        file_accesses("ls")
