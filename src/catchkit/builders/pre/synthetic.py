"""Authored tasks for four frameworks, with capabilities granted beyond the need."""

from catchkit.builders.source import Origin, Source


def _group(origin: Origin) -> str:
    return f"authored-{origin.framework}"


SOURCE = Source(
    name="synthetic",
    title="Authored tasks with over-grants injected",
    url="https://pypi.org/project/catchbench/0.1.3",
    pin="authored cases, shuffled under one seed",
    label_process="synthetic_inject",
    license_rule="MIT, authored for the benchmark",
    wants=lambda _: False,
    parse=lambda _: iter(()),
    group=_group,
    group_rule="The family of cases written over one framework's tool table.",
)
