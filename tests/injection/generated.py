"""Two generated corpora, small enough to follow by hand: file events, and calls with values."""

import json
from collections import defaultdict
from typing import Any

from catchkit.injection.files import FileRun, can_be_clean


def file_runs() -> list[FileRun]:
    """Return twelve runs whose steps rely on the last event on their file."""
    return [run for run in map(_file_run, range(12)) if can_be_clean(run)]


def _file_run(number: int) -> FileRun:
    files: list[frozenset[str]] = []
    deps: list[tuple[int, ...]] = []
    last: dict[str, int] = {}
    for at in range(5 + 5 * number % 9):
        files.append(frozenset())
        deps.append(())
        name = f"f{(number + at * at) % (1 + number % 3)}"
        touched = (at + number) % 4 != 0
        deps.append((last[name],) if touched and name in last else ())
        if touched:
            last[name] = len(files)
        files.append(frozenset({name} if touched else ()))
    is_tool = tuple(at % 2 == 1 for at in range(len(files)))
    return FileRun(run_id=f"run-{number}", is_tool=is_tool, files=tuple(files), deps=tuple(deps))


def shop_messages(number: int, prefix: str = "") -> list[dict[str, Any]]:
    """Return the messages of one of eight runs; ``prefix`` stands before every order number."""
    uid = f"user_{100 + number}"
    one, two = (f"{prefix}W{number % 3 + 1}{10 * number + k:03d}" for k in (1, 7))
    item, other = f"i{5000 + number}", f"i{6000 + number}"
    old, new = f"A{number}01", f"B{number}02"
    calls: list[tuple[str, dict[str, Any], Any]] = [
        ("get_user", {"user_id": uid}, {"user_id": uid, "orders": [one, two]}),
        (
            "get_order",
            {"order_id": one},
            {"order_id": one, "items": [{"item_id": item}, {"item_id": other}], "addr": old},
        ),
    ]
    if number % 2 == 0:
        calls += [
            ("set_addr", {"order_id": one, "addr": new}, {"ok": True}),
            (
                "get_order",
                {"order_id": one},
                {"order_id": one, "items": [{"item_id": item}], "addr": new},
            ),
            ("ship", {"order_id": one, "addr": new}, {"ok": True}),
        ]
    last = {"order_id": two, "items": [item], "reason": "none", "amount": 12.0}
    calls.append(("cancel", last, {"status": "done"}))
    return [
        {"role": "system", "content": "policy"},
        {"role": "user", "content": f"I am {uid} zip 1900{number} please"},
        *(message for at, call in enumerate(calls) for message in _exchange(f"c{at}", *call)),
    ]


def _exchange(call_id: str, tool: str, arguments: Any, payload: Any) -> list[dict[str, Any]]:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    call = {"id": call_id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "name": tool, "content": json.dumps(payload)},
    ]


def shop_runs(prefix: str = "") -> list[dict[str, Any]]:
    """Return the eight runs as records of a tau-bench file."""
    return [
        {"task_id": number, "trial": 0, "reward": 1.0, "traj": shop_messages(number, prefix)}
        for number in range(8)
    ]


def grouped(pairs: list[tuple[str, int]]) -> dict[str, list[int]]:
    """Return key -> values in order."""
    found: dict[str, list[int]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found
