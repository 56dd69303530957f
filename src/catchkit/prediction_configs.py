"""The configs that hold what others predicted, to be scored beside new predictions."""

from collections.abc import Iterator

from catchkit.configs import INT32, STRING, Column, Config, Family, list_of

PREDICTIONS = Family(
    name="predictions",
    id_column="prediction_id",
    columns=(
        Column(
            name="prediction_id",
            type=STRING,
            meaning="Unique: protocol, method and run joined by slashes.",
        ),
        Column(
            name="method", type=STRING, meaning="Who predicted: the model as upstream names it."
        ),
        Column(
            name="protocol",
            type=STRING,
            meaning=(
                "How it was asked: all_at_once (the whole run, a ranking), step_by_step (growing "
                "prefixes until it sees a mistake) or binary_search (which half holds it)."
            ),
        ),
        Column(
            name="panel",
            type=STRING,
            meaning="published for what the original board shows, addendum for what came later.",
        ),
        Column(name="run_id", type=STRING, meaning="The run, as in the config it predicts."),
        Column(
            name="top",
            type=INT32,
            meaning="The step named as decisive, 0-based; null where no answer could be read.",
        ),
        Column(
            name="ranking",
            type=list_of(INT32),
            meaning="Steps from the most suspicious down, as far as named; empty likewise.",
        ),
        Column(
            name="label_process",
            type=STRING,
            meaning="Always prediction: what a model answered, not what is true.",
        ),
        Column(
            name="prompt", type=STRING, meaning="Digest of the prompt's wording, from upstream."
        ),
        Column(name="license", type=STRING, meaning="The licence of the package it was read from."),
        Column(name="repo", type=STRING, meaning="That package."),
        Column(name="commit", type=STRING, meaning="Its version."),
        Column(name="path", type=STRING, meaning="The file in it."),
    ),
)


def prediction_configs() -> Iterator[Config]:
    """Yield every config of predictions."""
    name = "predictions_who_and_when"
    yield Config(name=name, family=PREDICTIONS, parts=(name,))
