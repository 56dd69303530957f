"""Two generated corpora, small enough to follow by hand: file events, and calls with values."""

import json
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from catchkit.builders.corpus import corpus_named
from catchkit.builders.record import TraceRecord
from catchkit.injection.extraction import Extraction, Mode
from catchkit.injection.files import FileRun, can_be_clean
from catchkit.injection.gold_files import FileGold
from catchkit.injection.material import material
from catchkit.injection.values import ValueRun, value_run
from reading import REAL, TESTS

Message: TypeAlias = dict[str, Any]


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


def shop_messages(number: int, prefix: str = "") -> list[Message]:
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


def _exchange(call_id: str, tool: str, arguments: Any, payload: Any) -> list[Message]:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    call = {"id": call_id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "name": tool, "content": json.dumps(payload)},
    ]


def shop_records(corpus: str, prefix: str = "") -> list[TraceRecord]:
    """Return the eight runs as the records of a corpus, through its own reader."""
    declared = corpus_named(corpus)
    with tempfile.TemporaryDirectory() as folder:
        return list(material(declared, write_shop(corpus, Path(folder), prefix)))


def write_shop(corpus: str, folder: Path, prefix: str = "", numbers: Sequence[int] = ()) -> Path:
    """Write some of the eight runs in the raw format of a corpus; all where none is named."""
    chosen = numbers or range(8)
    runs = [(number, shop_messages(number, prefix)) for number in chosen]
    match corpus:
        case "tau_bench":
            path = folder / "trajectories" / "shop_retail.json"
            text = json.dumps(
                [{"task_id": n, "trial": 0, "reward": 1.0, "traj": run} for n, run in runs]
            )
        case "tau_bench_hub":
            path = folder / corpus_named(corpus).shards[0].rpartition("/")[2]
            text = "\n".join(json.dumps(_hub(n, run)) for n, run in runs)
        case "tau2_bench":
            path = folder / "trajectories" / "shop.json"
            simulations = [_tau2(n, run) for n, run in runs]
            info = {"environment_info": {"domain_name": "retail"}, "agent_info": {"llm": "m"}}
            text = json.dumps({"info": info, "simulations": simulations})
        case "agentdojo":
            path = folder / "benign.jsonl"
            text = "\n".join(json.dumps(_dojo(n, run)) for n, run in runs)
        case _:
            raise ValueError(corpus)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return folder


def _hub(number: int, messages: list[Message]) -> Message:
    return {
        "messages": messages,
        "model_path": "m",
        "task_name": "tau-bench-retail",
        "task_id": number,
        "db_match": True,
    }


def _tau2(number: int, messages: list[Message]) -> Message:
    return {
        "id": f"run-{number}",
        "task_id": str(number),
        "reward_info": {"reward": 1.0},
        "messages": [_tau2_message(message) for message in messages],
    }


def _tau2_message(message: Message) -> Message:
    if message["role"] == "tool":
        return {"role": "tool", "id": message["tool_call_id"], "content": message["content"]}
    calls = [
        {"id": call["id"], "name": call["function"]["name"], "arguments": _arguments(call)}
        for call in message.get("tool_calls", ())
    ]
    return {"role": message["role"], "content": message["content"], "tool_calls": calls}


def _dojo(number: int, messages: list[Message]) -> Message:
    task = f"user_task_{number}"
    record = {
        "suite_name": "banking",
        "user_task_id": task,
        "utility": True,
        "messages": [_dojo_message(message) for message in messages],
    }
    return {"run_id": f"m/banking/{task}/none/none", "record": record}


def _dojo_message(message: Message) -> Message:
    if message["role"] == "tool":
        text = yaml.safe_dump(json.loads(message["content"]), sort_keys=False)
        return {**message, "content": text, "tool_call": {"function": message["name"]}}
    calls = [
        {"id": call["id"], "function": call["function"]["name"], "args": _arguments(call)}
        for call in message.get("tool_calls", ())
    ]
    return {"role": message["role"], "content": message["content"], "tool_calls": calls}


def _arguments(call: Message) -> Message:
    return dict(json.loads(call["function"]["arguments"]))


def value_runs(corpus: str, mode: Mode, prefix: str = "") -> list[ValueRun]:
    """Return the eight runs as one extraction reads them."""
    declared = corpus_named(corpus)
    extraction = Extraction.of(declared, mode)
    records = shop_records(corpus, prefix)
    return [value_run(record, declared, extraction) for record in records]


def fixture_file_runs(corpus: str) -> list[FileRun]:
    """Return the clean runs of a corpus's fixture."""
    declared = corpus_named(corpus)
    records = material(declared, TESTS / "fixtures" / corpus)
    return list(FileGold.of(records, declared).runs)


@cache
def real_records(corpus: str) -> list[TraceRecord]:
    """Return the real runs of a corpus that may be clean, in the order of their files."""
    declared = corpus_named(corpus)
    place = REAL / corpus / "benign.jsonl.gz" if corpus == "agentdojo" else REAL / corpus
    return [record for record in material(declared, place) if declared.may_be_clean(record.key)]
