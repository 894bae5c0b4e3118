"""reports: the report of each game, a PDF of at most five pages.

usage: python3 tools/reports/make.py PLUM OUT      writes OUT/NAME.pdf for every src/games/NAME/report.md
       python3 tools/reports/make.py check [ROOT [PLUM]]      ROOT: default this project

A report is Markdown. Three kinds of blocks become figures; blocks without an empty line between them share a row:

    ```board            a position
    GAME POSITION
    caption: TEXT
    ```
    ```table            rows of a table of another document
    from: docs/engine.md#anchor-of-a-heading
    table: 2            which one of that section; 1 without it
    rows: REGEX         of the first cell; all without it
    columns: A, B       by their heads; all without it. A > B renames column A
    caption: TEXT
    ```
    ```chart            a drawing of such a table, or of a list of objects in a JSON file
    kind: bars          or lines, rows (bars from left to right)
    from, table, rows   as above
    label: A            the column of the labels, up to a colon (rows) or also a comma; the first without it
    series: A, B        the columns with the values, as `+12 ± 3`. A > B renames them
    across: yes         the other way round: each row is a series, and the columns of `series` are the labels
    part: 2             which part of a cell that has several, separated by commas
    at: numbers         lines: the labels are numbers, and the axis is to scale; log: its scale is logarithmic
    mark: 50            a dashed line at this value
    x, y, caption: TEXT
    ```

So a measured number is written down once, in docs/engine.md or in a file of the trainer. `check` makes all figures without
writing them (boards only with PLUM), and refuses numbers in the text that occur in none of the sources: docs/engine.md,
docs/games.md, tools/train/rounds and the files that a comment `<!-- sources: FILE FILE -->` names. Whole numbers up to 20
are not looked at.

The PDF is printed by Chromium, which has to be installed, as has the module markdown of Debian's python3.
"""
import glob
import html
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import chart

MOST_PAGES = 5
HALF, LARGER, WHOLE = 340, 460, 700  # widths of drawings in their own units; LARGER is next to a board
SMALL = 20
SOURCES = ["docs/engine.md", "docs/games.md", "tools/train/rounds/*/*"]
FENCE = re.compile(r"^```(board|table|chart)\n(.*?)^```$\n?", re.M | re.S)
FIGURE = "FIGUREROW{}END"
VALUE = re.compile(r"([+−-]?\d[\d,]*(?:\.\d+)?)(?:\s*±\s*(\d+(?:\.\d+)?))?")
NUMBER = re.compile(r"(?<![\w.,+−-])[+−]?\d+(?:,\d{3})*(?:\.\d+)?(?: ± \d+(?:\.\d+)?)?(?: %)?(?![\w])")


class Mistake(Exception):
    pass


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise Mistake(f"{path}: {error.strerror}") from None


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def tables_of(path, anchor):
    """Every table of a section, up to the next heading: a list of rows of cells, the first one the head."""
    is_here, is_found, tables, was_row = not anchor, False, [], False
    for text in read(path).split("\n"):
        if text.startswith("#"):
            is_here = anchor_of(text.lstrip("# ")) == anchor
            is_found |= is_here
        is_row = is_here and text.startswith("|")
        if is_row:
            if not was_row:
                tables.append([])
            if not re.fullmatch(r"[|:\- ]+", text):
                tables[-1].append([cell.strip() for cell in text.strip().strip("|").split("|")])
        was_row = is_row
    if anchor and not is_found:
        raise Mistake(f"{path} has no heading with the anchor {anchor}")
    return tables


def load_table(keys):
    path, _, anchor = keys["from"].partition("#")
    if path.endswith(".json"):
        objects = json.loads(read(path))
        head = list(objects[0])
        table = [head] + [[str(item.get(name)) for name in head] for item in objects]
    else:
        tables, wanted = tables_of(path, anchor), int(keys.get("table", 1))
        if len(tables) < wanted:
            raise Mistake(f"{keys['from']} has no table {wanted}")
        table = tables[wanted - 1]
    kept = [row for row in table[1:] if re.search(keys.get("rows", ""), row[0])]
    if not kept:
        raise Mistake(f"{keys['from']} has no row {keys['rows']}")
    return table[0], kept


def columns(head, wanted):
    """(index, name) of the columns `A, B > C`."""
    out = []
    for item in wanted.split(",") if wanted else head:
        name, _, shown = (part.strip() for part in item.partition(" > "))
        if name not in head:
            raise Mistake(f"there is no column '{name}' in {head}")
        out.append((head.index(name), shown or name))
    return out


def value_of(cell, part):
    pieces = cell.split(", ")
    match = VALUE.match(pieces[part - 1]) if len(pieces) >= part else None
    if not match:
        return None
    return float(match[1].replace(",", "").replace("−", "-")), float(match[2] or 0)


def plain(cell):
    """Without links and code; a number stays in one line with its sign and unit."""
    return re.sub(r"(?<=\d) (?=[±%sm])|(?<=±) ", "\u00a0", re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", cell))


def draw_chart(keys, width):
    head, rows = load_table(keys)
    part = int(keys.get("part", 1))
    chosen = columns(head, keys.get("series", ""))
    label_at = head.index(keys["label"]) if "label" in keys else 0
    if "across" in keys:
        labels = [name for _, name in chosen]
        series = [(plain(row[label_at]), [value_of(row[i], part) for i, _ in chosen]) for row in rows]
    else:
        rest = r":.*" if keys["kind"] == "rows" else r"[:,].*"
        labels = [re.sub(rest, "", plain(row[label_at])) for row in rows]
        series = [(name, [value_of(row[i], part) for row in rows]) for i, name in chosen]
        empty = [i for i in range(len(rows)) if not any(points[i] for _, points in series)]
        labels = [label for i, label in enumerate(labels) if i not in empty]
        series = [(name, [p for i, p in enumerate(points) if i not in empty]) for name, points in series]
    if not any(point for _, points in series for point in points):
        raise Mistake(f"{keys['from']}: no numbers in {keys.get('series')}")
    mark = float(keys["mark"]) if "mark" in keys else None
    if keys["kind"] == "bars":
        return chart.bars(width, labels, series, keys.get("x", ""), keys.get("y", ""), mark)
    if keys["kind"] == "rows":
        return chart.rows(width, labels, series, keys.get("x", ""), mark)
    if keys["kind"] != "lines":
        raise Mistake(f"there is no kind '{keys['kind']}'")
    at = None
    if "at" in keys:
        at = [float(label.replace(",", "")) for label in labels]
        order = sorted(range(len(at)), key=at.__getitem__)
        at = [at[i] for i in order]
        series = [(name, [points[i] for i in order]) for name, points in series]
        labels = [f"{x / 1e6:.1f} M" if x >= 1e5 else chart.number(x) for x in at]
        at = [math.log(x) for x in at] if keys["at"] == "log" else at
    return chart.lines(width, labels, series, keys.get("x", ""), keys.get("y", ""), mark, at)


def draw_table(keys):
    head, rows = load_table(keys)
    chosen = columns(head, keys.get("columns", ""))
    is_number = {i: all(re.match(r"[+−±]?\d|–|$", row[i]) for row in rows) and i != chosen[0][0] for i, _ in chosen}
    kind = lambda i: ' class="number"' if is_number[i] else ""
    out = ["<table><tr>"] + [f"<th{kind(i)}>{html.escape(plain(name))}</th>" for i, name in chosen] + ["</tr>"]
    for row in rows:
        out.append("<tr>" + "".join(f"<td{kind(i)}>{html.escape(plain(row[i]))}</td>" for i, _ in chosen) + "</tr>")
    return "".join(out) + "</table>"


def draw_board(text, plum):
    game, _, position = text.partition(" ")
    if not plum:
        return ""
    run = subprocess.run([plum, "show", game, position, "--svg", "-"], capture_output=True, text=True, check=False)
    if run.returncode:
        raise Mistake(run.stderr.strip())
    return run.stdout[run.stdout.index("<svg"):]


def draw(kind, text, width, plum):
    first, *others = text.strip().split("\n")
    if kind == "board":
        body = draw_board(first, plum)
    else:
        others.insert(0, first)
    keys = dict(re.match(r"(\w+): *(.*)", line).groups() for line in others if re.match(r"\w+: ", line))
    for key in ("caption",) + (("from",) if kind != "board" else ()) + (("kind",) if kind == "chart" else ()):
        if key not in keys:
            raise Mistake(f"a {kind} needs a line '{key}: …'")
    if kind == "chart":
        body = draw_chart(keys, width)
    elif kind == "table":
        body = draw_table(keys)
    return body, keys["caption"]


def figures_of(text, plum):
    """The text with a word in the place of each row of figures, and the rows as HTML."""
    rows, out, end, count = [], [], 0, 0
    found = list(FENCE.finditer(text))
    for i, match in enumerate(found):
        gap = text[end:match.start()]
        if not rows or gap:
            rows.append([])
            out.append(f"{gap}\n\n{FIGURE.format(len(rows) - 1)}\n\n")
        rows[-1].append(match)
        end = match.end()
    done = []
    for row in rows:
        drawn = []
        kinds = {match[1] for match in row}
        width = WHOLE if len(row) == 1 else LARGER if "board" in kinds else HALF
        for match in row:
            count += 1
            line = text.count("\n", 0, match.start()) + 1
            try:
                body, caption = draw(match[1], match[2], width, plum)
            except (Mistake, KeyError, ValueError) as mistake:
                raise Mistake(f"line {line}: {mistake}") from None
            drawn.append(f'<figure class="{match[1]}">{body}<figcaption><b>Figure {count}.</b> {html.escape(caption)}</figcaption></figure>')
        kind = " boards" if kinds == {"board"} else ""
        done.append(f'<div class="row{kind}">{"".join(drawn)}</div>')
    return "".join(out) + text[end:], done, count


def unknown_numbers(text):
    """(line, number) of those that occur in no source."""
    named = re.search(r"<!-- sources: (.*?) -->", text)
    paths = [path for pattern in SOURCES for path in sorted(glob.glob(pattern))] + (named[1].split() if named else [])
    known = set()
    for path in paths:
        for match in NUMBER.finditer(read(path).replace(" Elo +-", " ± ")):
            base = match[0].split(" ±")[0].removesuffix(" %")
            known.update((match[0], base, base.lstrip("+")))
    prose = FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)
    prose = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", prose)
    for line, words in enumerate(prose.split("\n"), 1):
        for match in NUMBER.finditer(words):
            word = match[0]
            if word not in known and not (word.isdigit() and int(word) <= SMALL):
                yield line, word


def to_html(text, plum):
    try:
        import markdown  # not needed to check
    except ImportError:
        raise Mistake("the module markdown is missing: install python3-markdown") from None

    words, rows, _ = figures_of(text, plum)
    page = markdown.markdown(re.sub(r"<!--.*?-->", "", words), extensions=["tables", "fenced_code"])
    for i, row in enumerate(rows):
        page = page.replace(f"<p>{FIGURE.format(i)}</p>", row)
    page = re.sub(r"(?<=\d) (?=[±%])|(?<=±) ", "&nbsp;", page)
    page = re.sub(r'<a href="(?!https?:)[^"]*">(.*?)</a>', r"\1", page)
    title = re.search(r"^# (.*)", text, re.M)[1]
    style = (pathlib.Path(__file__).resolve().parent / "style.css").as_uri()
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
            f'<link rel="stylesheet" href="{style}"></head><body>{page}</body></html>')


def print_pdf(page, pdf):
    browser = os.environ.get("CHROMIUM", "chromium")
    with tempfile.TemporaryDirectory() as profile:
        try:
            subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--disable-background-networking", "--disable-component-update", f"--user-data-dir={profile}",
                            "--no-pdf-header-footer", f"--print-to-pdf={pdf}", pathlib.Path(page).as_uri()],
                           check=True, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            raise Mistake(f"{browser} did not print {page}: {error}\n{getattr(error, 'stderr', None) or ''}") from None
    with open(pdf, "rb") as file:
        return max(int(count) for count in re.findall(rb"/Count (\d+)", file.read()))


def sources():
    found = sorted(glob.glob("src/games/*/report.md"))
    if not found:
        raise Mistake("there is no src/games/*/report.md")
    return found


def check(plum):
    failed = False
    for path in sources():
        text = read(path)
        try:
            _, _, count = figures_of(text, plum)
        except Mistake as mistake:
            print(f"{path}: {mistake}", file=sys.stderr)
            failed = True
            continue
        for line, word in unknown_numbers(text):
            print(f"{path}:{line}: {word} is in none of the sources: was it measured again?", file=sys.stderr)
            failed = True
        for name in sorted(set(re.findall(r"Figures? (\d+)|Figures \d+ and (\d+)", text))):
            if any(int(n) > count for n in name if n):
                print(f"{path}: there is no Figure {'/'.join(filter(None, name))}", file=sys.stderr)
                failed = True
    return failed


def make(plum, folder):
    os.makedirs(folder, exist_ok=True)
    failed = False
    for path in sources():
        name = os.path.basename(os.path.dirname(path))
        page, pdf = (os.path.abspath(os.path.join(folder, f"{name}.{end}")) for end in ("html", "pdf"))
        try:
            with open(page, "w", encoding="utf-8") as file:
                file.write(to_html(read(path), plum))
        except Mistake as mistake:
            raise Mistake(f"{path}: {mistake}") from None
        pages = print_pdf(page, pdf)
        print(f"wrote {os.path.relpath(pdf)}: {pages} pages")
        if pages > MOST_PAGES:
            print(f"{path}: the limit is {MOST_PAGES} pages", file=sys.stderr)
            failed = True
    return failed


def main(arguments):
    if arguments[:1] == ["check"] and len(arguments) <= 3:
        plum = os.path.abspath(arguments[2]) if len(arguments) > 2 else None
        os.chdir(arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(__file__), "../.."))
        return check(plum)
    if len(arguments) != 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    plum, folder = map(os.path.abspath, arguments)
    os.chdir(os.path.join(os.path.dirname(__file__), "../.."))
    return make(plum, folder)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Mistake as problem:
        print(f"reports: {problem}", file=sys.stderr)
        sys.exit(1)
