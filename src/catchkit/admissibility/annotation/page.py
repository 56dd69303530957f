"""Draws an annotation sheet as one page of HTML that needs neither a network nor a script."""

from collections.abc import Sequence
from html import escape

from catchkit.admissibility.annotation.sheet import MARK, Question, SheetItem

STYLE = """
:root { color-scheme: light dark; --ink: #1d2329; --paper: #fdfdfb; --pale: #667079;
  --line: #d9dcdf; --box: #f4f5f2; --mark: #ffe58a; --mark-ink: #1d2329; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6e8; --paper: #16191c; --pale: #98a2ab;
  --line: #353b41; --box: #1e2226; --mark: #6b5610; --mark-ink: #fff6d8; } }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; color: var(--ink);
  background: var(--paper); font: 1.0625rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
.pale, h2 small { color: var(--pale); font-weight: normal; }
.question { font-size: 1.2rem; font-weight: 600; margin: 1.25rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; }
dd { margin: 0; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace;
  font-size: .875rem; }
pre { margin: 0; padding: .75rem 1rem; background: var(--box); border: 1px solid var(--line);
  border-radius: .4rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
pre > * { display: block; min-height: 1.5em; padding-left: 7ch; text-indent: -7ch; }
mark { background: var(--mark); color: var(--mark-ink); font-weight: 600; }
summary { cursor: pointer; margin: 1rem 0 .5rem; }
nav { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr));
  gap: .15rem .75rem; font-size: .875rem; }
a { color: inherit; text-decoration-color: var(--pale); text-underline-offset: .2em; }
section { margin-top: 2.5rem; scroll-margin-top: 1rem; }
section p { font-size: .875rem; margin: .4rem 0 0; }
:target > h2 { text-decoration: underline; }
@media print { details, section p { display: none; } section { break-inside: avoid; } }
"""
HOW = (
    "Copy <code>sheet.csv</code> to <code>answers-NAME.csv</code>, with a name of your choice, and "
    "write <b>yes</b>, <b>no</b> or <b>unsure</b> into its last column, <code>{answer}</code>, of "
    "every row. Leave the other columns as they are; rows have the same names and order here and "
    "there. Please do not speak with other annotators before all have answered, and look nothing "
    "up: only what a row shows counts."
)


def page(name: str, question: Question, items: Sequence[SheetItem]) -> str:
    """Return the page.

    Args:
        name: What the sheet is about.
        question: What is asked of every row.
        items: The rows in order; of their truth nothing is shown.
    """
    terms = "".join(
        f"<dt><code>{escape(sign)}</code></dt><dd>{escape(meaning)}</dd>"
        for sign, meaning in question.legend
    )
    links = "".join(
        f'<a href="#{item.item}">{at}. {item.item}</a>' for at, item in enumerate(items, start=1)
    )
    sections = "".join(_section(at, len(items), item) for at, item in enumerate(items, start=1))
    how = HOW.format(answer=escape(question.answer))
    title = f"Annotation sheet: {escape(name)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n"
        f'<body><header id="top"><h1>{title}</h1><p class="pale">{len(items)} rows</p>'
        f'<p class="question">{escape(question.asks)}</p><p>{how}</p>'
        f"<dl>{terms}</dl><details><summary>All rows</summary><nav>{links}</nav>"
        f"</details></header>\n{sections}</body></html>\n"
    )


def _section(at: int, of: int, item: SheetItem) -> str:
    name = item.item
    lines = [
        f'<mark id="{name}-mark">{escape(line)}</mark>'
        if line.startswith(MARK)
        else f"<span>{escape(line)}</span>"
        for line in item.text.split("\n")
    ]
    return (
        f'<section id="{name}"><h2>{name} <small>{at} of {of}</small></h2>'
        f'<pre>{"".join(lines)}</pre><p><a href="#{name}-mark">to the mark</a> · '
        f'<a href="#{name}">to its beginning</a> · <a href="#top">to the question</a></p>'
        "</section>\n"
    )
