from collections import Counter
from itertools import product

from catchkit.builders.published import roster_order
from catchkit.seeds import generator


def test_every_part_of_the_address_changes_the_draws() -> None:
    addresses = product((0, 1), ("a", "b"), ("k", "l"))
    drawn = {tuple(generator(*address).integers(0, 1 << 40, 4)) for address in addresses}
    assert len(drawn) == 8


def test_parts_of_an_address_do_not_run_into_each_other() -> None:
    assert generator(0, "ab", "c").integers(1 << 40) != generator(0, "a", "bc").integers(1 << 40)


def test_the_presentation_order_puts_every_position_first_equally_often() -> None:
    first = Counter(roster_order(f"r-{at}", 4)[0] for at in range(4000))
    # Binomial(4000, 1/4): 1000 with a standard deviation of 27.4; five of them leave 1 in 10^6.
    assert all(abs(count - 1000) < 137 for count in first.values())
