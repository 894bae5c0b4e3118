"""chart: drawings of small tables as SVG, in the colours of the reports (style.css).

A series is a name and a list of points; a point is (value, error) or None where a table has no number.
"""
import math
from html import escape

COLOURS = ["#7c2c5e", "#c58a2d", "#3f7d58", "#4f6699", "#8a8088"]
HEIGHT = 205
FONT = 12
LINE = 13  # from one line of text to the next


def number(value):
    return f"{value:.10g}".replace("-", "−")


def scale(ticks):
    """The numbers of an axis, all with the same number of decimals."""
    places = max(len(f"{tick:.10g}".partition(".")[2]) for tick in ticks)
    return [f"{tick:.{places}f}".replace("-", "−") for tick in ticks]


def steps(low, high, count=5):
    """Round numbers from at most `low` to at least `high`."""
    raw = (high - low) / count or 1
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * m for m in (1, 2, 2.5, 5, 10) if size * m >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def text(x, y, words, anchor="middle", kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def extent(series, also):
    ends = [v + sign * (e or 0) for _, points in series for v, e in filter(None, points) for sign in (-1, 1)]
    return min(ends + also), max(ends + also)


def legend(series, x, y):
    out = []
    if len(series) > 1:
        for i, (name, _) in enumerate(series):
            out.append(f'<rect x="{x:.1f}" y="{y - 8:.1f}" width="9" height="9" rx="2" fill="{COLOURS[i]}"/>')
            out.append(text(x + 13, y, name, "start"))
            x += 13 + 6.2 * len(name) + 14
    return out


def frame(width, height, body):
    return (f'<svg class="chart" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" '
            f'font-size="{FONT}">{"".join(body)}</svg>')


def error_bar(x, low, high):
    return line(x, low, x, high, "error") + line(x - 2.5, low, x + 2.5, low, "error") + line(x - 2.5, high, x + 2.5, high, "error")


class Axes:
    """A drawing area with a scale at its left side; `labels` are below it."""

    def __init__(self, width, series, also, x_name, y_name, mark=None):
        self.ticks = steps(*extent(series, also))
        names = scale(self.ticks)
        widest = max(map(len, names))
        self.left, self.right = 12 + 6.2 * widest + 14, width - 8
        self.top, self.bottom = (30 if len(series) > 1 else 12), HEIGHT - 36
        self.out = legend(series, self.left, 14)
        for tick, name in zip(self.ticks, names):
            self.out.append(line(self.left, self.y(tick), self.right, self.y(tick), "zero" if tick == 0 else "grid"))
            self.out.append(text(self.left - 5, self.y(tick) + 3.5, name, "end", "tick"))
        if mark is not None:
            self.out.append(line(self.left, self.y(mark), self.right, self.y(mark), "mark"))
        middle = (self.top + self.bottom) / 2
        self.out.append(f'<g transform="translate(10 {middle}) rotate(-90)">{text(0, 0, y_name, "middle", "name")}</g>')
        self.out.append(text((self.left + self.right) / 2, HEIGHT - 6, x_name, "middle", "name"))

    def y(self, value):
        low, high = self.ticks[0], self.ticks[-1]
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)

    def below(self, x, words):
        self.out.append(text(x, self.bottom + 14, words, "middle", "tick"))


def bars(width, labels, series, x_name, y_name, mark=None):
    axes = Axes(width, series, [0], x_name, y_name, mark)
    room = (axes.right - axes.left) / len(labels)
    thick = min(26, room * 0.72 / len(series))
    for i, label in enumerate(labels):
        centre = axes.left + room * (i + 0.5)
        axes.below(centre, label)
        for k, (_, points) in enumerate(series):
            if points[i]:
                value, error = points[i]
                x = centre + (k - len(series) / 2) * thick
                top, base = sorted((axes.y(value), axes.y(0)))
                axes.out.append(f'<rect x="{x + 0.5:.1f}" y="{top:.1f}" width="{thick - 1:.1f}" height="{base - top:.1f}" fill="{COLOURS[k]}"/>')
                if error:
                    axes.out.append(error_bar(x + thick / 2, axes.y(value - error), axes.y(value + error)))
    return frame(width, HEIGHT, axes.out)


def lines(width, labels, series, x_name, y_name, mark=None, at=None):
    """at: where the labels are on the x axis; without it they have equal distances."""
    axes = Axes(width, series, [] if mark is None else [mark], x_name, y_name, mark)
    at = at or list(range(len(labels)))
    inset = 14
    span = (axes.right - axes.left - 2 * inset) / ((max(at) - min(at)) or 1)
    places = [axes.left + inset + (x - min(at)) * span for x in at]
    last = -100
    for x, label in zip(places, labels):
        if x - last > 6.4 * len(label) + 4:
            axes.below(x, label)
            last = x
    for k, (_, points) in enumerate(series):
        seen = [(x, point) for x, point in zip(places, points) if point]
        path = " ".join(f"{x:.1f},{axes.y(value):.1f}" for x, (value, _) in seen)
        axes.out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[k]}" stroke-width="1.8"/>')
        for x, (value, error) in seen:
            if error:
                axes.out.append(error_bar(x, axes.y(value - error), axes.y(value + error)))
            axes.out.append(f'<circle cx="{x:.1f}" cy="{axes.y(value):.1f}" r="2.8" fill="{COLOURS[k]}"/>')
    return frame(width, HEIGHT, axes.out)


def fold(words, most):
    """The words in lines of at most `most` characters."""
    out = [""]
    for word in words.split():
        if out[-1] and len(out[-1]) + 1 + len(word) > most:
            out.append("")
        out[-1] = f"{out[-1]} {word}".strip()
    return out


def rows(width, labels, series, x_name, mark=None):
    """Horizontal bars: a label, then the bars of all series."""
    most = 30 if width < 500 else 44
    labels = [fold(label, most) for label in labels]
    left = 12 + 5.5 * max(len(part) for label in labels for part in label)
    right, top = width - 14, 30 if len(series) > 1 else 10
    kept = [[(k, points[i]) for k, (_, points) in enumerate(series) if points[i]] for i in range(len(labels))]
    heights = [max(LINE * len(label), 11 * len(found)) + 8 for label, found in zip(labels, kept)]
    bottom = top + sum(heights)
    ticks = steps(*extent(series, [0]))
    x = lambda value: left + (value - ticks[0]) / (ticks[-1] - ticks[0]) * (right - left)
    out = legend(series, left, 14)
    for tick, name in zip(ticks, scale(ticks)):
        out.append(line(x(tick), top, x(tick), bottom, "zero" if tick == 0 else "grid"))
        out.append(text(x(tick), bottom + 14, name, "middle", "tick"))
    if mark is not None:
        out.append(line(x(mark), top, x(mark), bottom, "mark"))
    y = top
    for label, found, height in zip(labels, kept, heights):
        for n, part in enumerate(label):
            out.append(text(left - 7, y + height / 2 + 3.5 + LINE * (n - (len(label) - 1) / 2), part, "end"))
        for n, (k, (value, error)) in enumerate(found):
            middle = y + height / 2 + 11 * (n - (len(found) - 1) / 2)
            start, end = sorted((x(0), x(value)))
            out.append(f'<rect x="{start:.1f}" y="{middle - 4.5:.1f}" width="{end - start:.1f}" height="9" fill="{COLOURS[k]}"/>')
            if error:
                low, high = x(value - error), x(value + error)
                out.append(line(low, middle, high, middle, "error") + line(low, middle - 2.5, low, middle + 2.5, "error") +
                           line(high, middle - 2.5, high, middle + 2.5, "error"))
        y += height
    out.append(text((left + right) / 2, bottom + 30, x_name, "middle", "name"))
    return frame(width, bottom + 36, out)
