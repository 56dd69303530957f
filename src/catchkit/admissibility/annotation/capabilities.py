"""The rows of a sheet on PRE: a declared configuration with one capability marked."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from catchkit.admissibility.annotation.sheet import (
    MARK,
    MAX_TEXT,
    NO_MARK,
    Question,
    SheetItem,
    Subject,
    item_name,
    one_line,
)
from catchkit.eval.board import label_of
from catchkit.eval.rosters import Rosters
from catchkit.seeds import generator

HEADING = ("capability", "type", "permission")
QUESTION = Question(
    asks="Is the marked capability unneeded: could the task be done as well without it?",
    shows="configuration",
    answer="unneeded",
    positive="excess",
    negative="needed",
    legend=(
        (MARK.strip(), "the capability that is asked about"),
        ("task", "what is kept of the text of the task: words in alphabetical order"),
        (HEADING[0], "the name of a tool that the agent may use"),
        (HEADING[1], "what kind of tool it is, in the words of its source"),
        (HEADING[2], "read, write, execute, network, admin or unknown"),
    ),
)


@dataclass(frozen=True, slots=True)
class _Alike:
    """The configurations of one source and size, by what can be marked in them."""

    either: list[int] = field(default_factory=list)
    only_excess: list[int] = field(default_factory=list)
    only_needed: list[int] = field(default_factory=list)


def capabilities_asked(name: str, digest: str, rosters: Rosters) -> Subject:
    """Ask of declared capabilities whether their task can do without them.

    Args:
        name: The config, such as ``"pre_mcp"``.
        digest: Content digest of its data.
        rosters: With the label.
    """

    def draw(count: int, seed: int) -> list[SheetItem]:
        rng = generator(seed, "annotation sheet", name)
        pairs = pairs_of(rosters, texts(), rng)
        chosen = rng.permutation(len(pairs))[: count // 2].tolist()
        return [
            _item(rosters, row, is_excess, seed)
            for excess, needed in (pairs[at] for at in chosen)
            for row, is_excess in ((excess, True), (needed, False))
        ]

    @cache
    def texts() -> list[str]:
        return [shown(rosters, row) for row in range(len(rosters.ids))]

    return Subject(name=name, digest=digest, question=QUESTION, draw=draw)


def pairs_of(
    rosters: Rosters, texts: Sequence[str], rng: np.random.Generator
) -> list[tuple[int, int]]:
    """Pair configurations in which excess is marked with ones in which it is not.

    The size of a roster must not tell which half a row is in, and small rosters are more often
    free of excess. Hence a configuration that can stand in one half only is paired with one of
    its source and size; two that can stand in both are paired as they come, and a coin decides.

    Args:
        rosters: With the label.
        texts: What each of them looks like; of equal ones one is taken, of too long ones none.
        rng: Decides everything that is free.

    Returns:
        Rows of (a roster with excess, a roster with something needed), none twice.
    """
    pairs: list[tuple[int, int]] = []
    either: list[int] = []
    for alike in _alike(rosters, texts, rng):
        excess, needed, both = alike.only_excess, alike.only_needed, alike.either
        matched = min(len(excess), len(needed))
        pairs += zip(excess[:matched], needed[:matched], strict=True)
        pairs += zip(excess[matched:], both, strict=False)
        pairs += zip(both, needed[matched:], strict=False)
        either += both[abs(len(excess) - len(needed)) :]
    tossed = rng.permutation(either).tolist()
    return [*pairs, *zip(tossed[::2], tossed[1::2], strict=False)]


def _alike(rosters: Rosters, texts: Sequence[str], rng: np.random.Generator) -> list[_Alike]:
    label, sizes, seen = label_of(rosters), rosters.sizes.tolist(), set()
    alike: dict[tuple[str, int], _Alike] = defaultdict(_Alike)
    for row in rng.permutation(len(rosters.ids)).tolist():
        if texts[row] in seen or len(texts[row]) > MAX_TEXT:
            continue
        seen.add(texts[row])
        group = alike[rosters.sources[row], sizes[row]]
        here = label[rosters.offsets[row] : rosters.offsets[row + 1]]
        if here.all():
            group.only_excess.append(row)
        elif here.any():
            group.either.append(row)
        else:
            group.only_needed.append(row)
    return [*alike.values()]


def _item(rosters: Rosters, row: int, is_excess: bool, seed: int) -> SheetItem:
    name, start = rosters.ids[row], rosters.offsets[row]
    marks = np.flatnonzero(label_of(rosters)[start : rosters.offsets[row + 1]] == is_excess)
    marked = generator(seed, "marked capability", name).choice(marks)
    return SheetItem(item_name(seed, name), shown(rosters, row, int(marked)), is_excess)


def shown(rosters: Rosters, row: int, marked: int | None = None) -> str:
    """Write a configuration as lines of text, one capability marked.

    Args:
        rosters: The configurations.
        row: Which of them.
        marked: Position in its roster, in published order.
    """
    here = slice(int(rosters.offsets[row]), int(rosters.offsets[row + 1]))
    columns = (rosters.names[here], rosters.types[here], rosters.levels[here])
    words = ", ".join(sorted(rosters.tokens[row])) or "(no word of it is kept)"
    heading, *lines = _table([HEADING, *zip(*columns, strict=True)])
    return "\n".join(
        [
            NO_MARK + one_line(f"task: {words}"),
            "",
            NO_MARK + heading,
            *((MARK if at == marked else NO_MARK) + line for at, line in enumerate(lines)),
        ]
    )


def _table(rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    plain = [[one_line(cell) for cell in row] for row in rows]
    wide, middle, _ = (max(map(len, column)) for column in zip(*plain, strict=True))
    for name, kind, level in plain:
        yield f"{name:{wide}}  {kind:{middle}}  {level}"
