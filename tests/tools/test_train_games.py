"""Networks and patterns as the trainer knows them are those of the engine.

usage: test_train_games.py SAMPLES_DIR

SAMPLES_DIR has files GAME that tools/train/selfplay wrote: the evaluation that the engine put into
each sample is computed again from the stored weights.
"""
import os
import struct
import sys
import tempfile

sys.path.insert(0, __file__.rsplit("/tests/", 1)[0] + "/tools/train")
import games  # noqa: E402

BOARD = struct.Struct("<81s B b B 2h h h h")
MOST_SAMPLES = 300


def samples(path):
    """(cells, facts, evaluation) of the first samples."""
    with open(path, "rb") as file:
        data = file.read(BOARD.size * MOST_SAMPLES)
    for at in range(0, len(data) - BOARD.size + 1, BOARD.size):
        fields = BOARD.unpack_from(data, at)
        yield fields[0], fields[4:6], fields[8]


def toward_zero(value, divisor):
    return int(value / divisor) if divisor else 0


def net_sums(game, net, cells, facts, is_other):
    """Of the side to move, or as the other side sees the board."""
    true = []
    for square in range(game.squares):
        seen = cells[game.turned(square)] if is_other else cells[square]
        if seen:
            true.append(((seen - 1 ^ is_other) * game.squares) + square)
    pieces = game.kinds * game.squares
    if game.name == "hop":
        true.append(pieces + sum(facts[0] >= plies for plies in games.HOP_TIMES))
    else:
        coins = [min(budget, games.COINS - 1) for budget in facts]
        true += [pieces + coins[is_other], pieces + games.COINS + coins[1 - is_other]]
    columns = zip(net.begin, *(net.first[i] for i in true))
    return [sum(round(games.NET_ONE * w) for w in column) for column in columns]


def net_bucket(game, cells):
    fighters = cells.count(1) + cells.count(2)
    return max(0, fighters - 2) * 6 // 17 if game.name == "hop" else min(5, fighters // 2)


def check_net(game, path):
    net = games.read_net(games.net_path(game))
    unit = games.NET_ONE**2 * (games.NET_LAST_ONE >> games.NET_SQUARE_SHIFT)
    count = 0
    for cells, facts, evaluation in samples(path):
        sums = net_sums(game, net, cells, facts, 0) + net_sums(game, net, cells, facts, 1)
        bucket = net_bucket(game, cells)
        total = round(unit * net.bias[bucket])
        for value, weight in zip(sums, net.last[bucket]):
            square = min(max(value, 0), games.NET_ONE) ** 2 >> games.NET_SQUARE_SHIFT
            total += square * round(games.NET_LAST_ONE * weight)
        assert toward_zero(total * net.scale, unit) == evaluation, (total * net.scale / unit, evaluation)
        count += 1
    with tempfile.NamedTemporaryFile() as file:
        games.write_net(file.name, net.first, net.begin, net.last, net.bias, net.scale)
        assert open(file.name, "rb").read() == open(games.net_path(game), "rb").read(), "read and written"
        assert os.path.getsize(file.name) <= 600000, "a network of more than 600 kB"
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
    for cells, facts, evaluation in samples(path):
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
    check = check_patterns if known.counts_discs else check_net
    checked = check(known, f"{sys.argv[1]}/{name}")
    assert checked > 100, f"only {checked} samples of {name}"
    print(f"{name}: {checked} samples")
