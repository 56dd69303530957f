"""Failed multi-agent runs with a human label: the split of one hand-made team."""

from dataclasses import replace

from catchkit.builders.traces import who_and_when

CORPUS = replace(
    who_and_when.CORPUS,
    name="who_and_when_hand_crafted",
    title="Who&When, hand-crafted",
    folder="who_and_when",
    shards=("**/Hand-Crafted/*.json",),
)
