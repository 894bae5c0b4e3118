"""Tables and patterns as the trainer knows them are those of the engine.

usage: test_train_games.py SAMPLES_DIR

SAMPLES_DIR has files GAME that tools/train/selfplay wrote: the evaluation that the engine put into
each sample is computed again from the stored weights.
"""
import struct
import sys
import tempfile

sys.path.insert(0, __file__.rsplit("/tests/", 1)[0] + "/tools/train")
import games  # noqa: E402

BOARD = struct.Struct("<81s B b B 2h h h h")
MOST_SAMPLES = 300


def samples(path, has_terms):
    """(cells, facts, evaluation, terms) of the first samples."""
    size = BOARD.size + (232 if has_terms else 0)
    with open(path, "rb") as file:
        data = file.read(size * MOST_SAMPLES)
    for at in range(0, len(data) - size + 1, size):
        fields = BOARD.unpack_from(data, at)
        terms = struct.unpack_from("<116H", data, at + BOARD.size) if has_terms else ()
        yield fields[0], fields[4:6], fields[8], [term for term in terms if term != 0xFFFF]


def toward_zero(value, divisor):
    return int(value / divisor) if divisor else 0


def check_terms(game, path):
    table = games.read_table(game)
    count = 0
    for _, _, evaluation, terms in samples(path, True):
        assert toward_zero(sum(table[term] for term in terms), games.WEIGHT_ONE) == evaluation
        count += 1
    with tempfile.NamedTemporaryFile() as file:
        games.write_table(file.name, table)
        written = open(file.name).read().replace("fit.py", "").split("*/")[-1]
    shipped = open(f"{games.ROOT}/src/games/{game.name}/eval_weights.inc.h").read().split("*/")[-1]
    assert written.split() == shipped.split(), "a table that was read and written"
    return count


def pattern_indexes(game, layout, cells, moves):
    out = []
    for shape, start in zip(layout.shapes, layout.starts):
        for board in shape.boards:
            digits = [cells[games.board_square(board, square)] for square in shape.squares]
            out.append(start + sum(digit * 3**i for i, digit in enumerate(digits)))
    real = [s for s in range(64) if game.has_corners or s not in (0, 7, 56, 63)]
    empty = [s for s in real if cells[s] == 0]
    centre = sum(0 < s % 8 < 7 and 0 < s // 8 < 7 for s in empty)
    odd = sum((sum(s // 32 == i // 2 and s % 8 // 4 == i % 2 for s in empty) & 1) << i for i in range(4))
    own, other = (min(games.DISCS - 1, list(cells[:64]).count(kind)) for kind in (1, 2))
    out.append(layout.moves + moves)
    out.append(layout.empty + games.BORDER * centre + len(empty) - centre)
    out.append(layout.odd + games.ODD_KINDS[odd])
    out.append(layout.discs + games.DISCS * own + other)
    return out, len(empty)


def check_patterns(game, path):
    layout = games.layout_of(games.shapes(game.has_corners))
    twin = games.twins(layout)
    stored = f"{games.ROOT}/src/games/reversi/weights_{game.name}.bin"
    knots = games.read_patterns(stored, layout, twin, 6)
    count = 0
    for cells, facts, evaluation, _ in samples(path, False):
        indexes, empty = pattern_indexes(game, layout, cells, facts[0])
        low, share = divmod(empty, games.STORED_STEP)
        high = min(low + 1, 5)
        parts = games.STORED_STEP * games.STORED_UNITS
        value = sum(
            round(games.STORED_UNITS * knots[low][i]) * (games.STORED_STEP - share)
            + round(games.STORED_UNITS * knots[high][i]) * share
            for i in indexes
        )
        assert toward_zero(value * 100, parts) == evaluation, (value * 100 / parts, evaluation)
        count += 1
    with tempfile.NamedTemporaryFile() as file:
        games.write_patterns(file.name, layout, twin, knots)
        assert open(file.name, "rb").read() == open(stored, "rb").read(), "read and written"
    return count


for name, known in games.GAMES.items():
    check = check_patterns if known.counts_discs else check_terms
    checked = check(known, f"{sys.argv[1]}/{name}")
    assert checked > 100, f"only {checked} samples of {name}"
    print(f"{name}: {checked} samples")
