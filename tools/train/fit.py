"""Fits evaluations of one game to the samples of tools/train/selfplay, on a GPU or a CPU.

usage: fit.py GAME SAMPLES_DIR OUT_DIR SECONDS [CONFIG...]

Reads SAMPLES_DIR/GAME.* (for hop also hop-noloop.*) and fits one model after the other within
SECONDS, all of them or the named ones:

    patterns   the engine's sum of patterns (reversi, othello); -fine has a set of weights for every
               six empty squares, -more has larger shapes, -early leaves the engine's weights for
               up to 24 empty squares as they are
    netN       a network: the board -> N hidden units for each side's view of it -> 1
    N-both     the sum of patterns, and a network of N hidden units

A suffix /3 or /9 fits on that share of the data and from nothing; /1 on all of it, from nothing.
A suffix @P gives the result of the game P percent of the target, the rest is `later` (sample.h);
without it half. A last suffix :S says how many seconds the fit takes at most, instead of an equal
share of those that are left. A model of the engine's kind and size begins with the weights that the
engine has.

Writes OUT_DIR/GAME.npz with the weights of the models, OUT_DIR/GAME.log with what is printed, and
for the engine OUT_DIR/weights_GAME.bin, the patterns fitted on, OUT_DIR/weights_GAME_MODEL.bin, other
patterns that it can read, or OUT_DIR/net_GAME_MODEL.bin for each network of hop and MeiChu; with "_"
for "@" and "-" for "/". If there are samples of several rounds, those of the engine as it is come last
in the order of their names.
Losses are of games that were held back, against their results: log loss, or the root of the mean
square in discs. Needs PyTorch and NumPy.
"""
import glob
import json
import math
import os
import sys
import time
import traceback

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import games

BATCH = 16384
TABLE_BATCH = 32768
EPOCHS = 40  # at most
SEED = 1
LOPSIDED = 5  # times as many discs in all as one side has
GONE = 2  # discs of a side of which self-play of equals teaches nothing
FEAR = 2.0  # discs that such a side is thought to be worse off, so that rounding does not hide the danger
EARLY_KNOT = 3
RARE = 30  # visits that count as much as what the weight was before
BUCKETS = 6  # output layers of a network, by the number of pieces
WIN = 10000

SAMPLE_BYTES = 94  # sample.h

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
started = time.monotonic()
log_file = None


def say(text):
    line = f"{time.monotonic() - started:6.1f} {text}"
    print(line, flush=True)
    if log_file:
        print(line, file=log_file, flush=True)


class Data:
    """Everything about the samples of a game, on the device."""

    def __init__(self, game, folder):
        self.game = game
        names = [game.name] + (["hop-noloop"] if game.name == "hop" else [])
        paths = sorted(path for name in names for path in glob.glob(f"{folder}/{name}.*"))
        # Whole files go to the device; fields are taken out of them there.
        files = [torch.from_numpy(np.fromfile(path, dtype=np.uint8)) for path in paths]
        files = [file[: len(file) // SAMPLE_BYTES * SAMPLE_BYTES].view(-1, SAMPLE_BYTES) for file in files]
        if not sum(len(file) for file in files):
            raise SystemExit(f"fit: no samples of {game.name} in {folder}")
        raw = torch.cat([file.to(device) for file in files])

        def field(first, count, kind):
            return raw[:, first : first + count].contiguous().view(kind)

        self.cells = raw[:, : game.squares].contiguous()
        self.held = raw[:, 81] != 0
        self.result = field(82, 1, torch.int8)[:, 0].float()
        self.facts = field(84, 4, torch.int16).long()
        self.score = field(88, 2, torch.int16)[:, 0].float()
        self.later = field(90, 2, torch.int16)[:, 0].float()
        self.evaluation = field(92, 2, torch.int16)[:, 0].float()
        del raw
        # How far into its file a sample is: a share of the games, not of each game.
        self.part = torch.cat([torch.arange(len(file)) / max(1, len(file)) for file in files]).to(device)
        self.own = (self.cells == 1).sum(1)
        self.other = (self.cells == 2).sum(1)
        self.count = len(self.result)
        discs = self.own + self.other
        self.lopsided = (discs > LOPSIDED * self.own) | (discs > LOPSIDED * self.other)
        if not game.counts_discs:
            self.lopsided = torch.zeros_like(self.held)
        if game.name == "hop":
            self.bucket = ((discs - 2).clamp(0, 16) * BUCKETS) // 17
        elif game.name == "meichu":
            self.bucket = (discs // 2).clamp(0, BUCKETS - 1)
        else:
            self.bucket = ((64 - discs) // 11).clamp(0, BUCKETS - 1)
        self.indexes = {}

    def distinct(self):
        generator = torch.Generator().manual_seed(SEED)
        keys = torch.randint(0, 2**62, (self.game.squares + 2,), generator=generator).to(device)
        hashes = []
        for first in range(0, self.count, 1 << 20):
            rows = slice(first, first + (1 << 20))
            board = (self.cells[rows].long() * keys[: self.game.squares]).sum(1)
            hashes.append(board + (self.facts[rows] * keys[self.game.squares :]).sum(1))
        return len(torch.unique(torch.cat(hashes)))

    def target(self, result_share):
        """In points of the side to move, or discs."""
        if self.game.counts_discs:
            return result_share * self.result + (1 - result_share) * self.later / 100
        return (result_share * self.result + (1 - result_share) * self.later / WIN + 1) / 2

    def patterns(self, shape_list, key):
        """Which weights of a set a position takes, twins put together; and the layout."""
        if key in self.indexes:
            return self.indexes[key]
        layout = games.layout_of(shape_list)
        twin = torch.tensor(games.twins(layout), device=device)
        powers, starts = [], []
        for shape, start in zip(layout.shapes, layout.starts):
            for board in shape.boards:
                column = [0.0] * 64
                for i, square in enumerate(shape.squares):
                    column[games.board_square(board, square)] = 3.0**i
                powers.append(column)
                starts.append(start)
        # Double precision: the numbers must be exact.
        powers = torch.tensor(powers, dtype=torch.float64, device=device).T.contiguous()
        starts = torch.tensor(starts, device=device)
        holes = [] if self.game.has_corners else [0, 7, 56, 63]
        real = torch.tensor([square not in holes for square in range(64)], device=device)
        centre = torch.tensor([0 < s % 8 < 7 and 0 < s // 8 < 7 for s in range(64)], device=device)
        quadrant = torch.tensor(
            [[float(s // 32 == i // 2 and s % 8 // 4 == i % 2) for i in range(4)] for s in range(64)],
            dtype=torch.float64,
            device=device,
        )
        kinds = torch.tensor(games.ODD_KINDS, device=device)
        bits = torch.tensor([1, 2, 4, 8], device=device)
        out = []
        for first in range(0, self.count, 1 << 19):
            rows = slice(first, first + (1 << 19))
            cells = self.cells[rows]
            shape_index = (cells.double() @ powers).round().long() + starts
            empty = (cells == 0) & real
            inside = (empty & centre).sum(1)
            odd = ((empty.double() @ quadrant).round().long() % 2 * bits).sum(1)
            own = self.own[rows].clamp(max=games.DISCS - 1)
            other = self.other[rows].clamp(max=games.DISCS - 1)
            counts = torch.stack(
                [
                    layout.moves + self.facts[rows, 0],
                    layout.empty + games.BORDER * inside + empty.sum(1) - inside,
                    layout.odd + kinds[odd],
                    layout.discs + games.DISCS * own + other,
                ],
                dim=1,
            )
            out.append(twin[torch.cat([shape_index, counts], dim=1)].int())
        self.indexes[key] = (torch.cat(out), layout, twin)
        return self.indexes[key]


class WeightedSum(torch.autograd.Function):
    """sum over j of weights[index[i, j]] * share[i, j]"""

    @staticmethod
    def forward(ctx, weights, index, share):
        ctx.save_for_backward(index, share)
        ctx.size = len(weights)
        return (weights[index] * share).sum(1)

    @staticmethod
    def backward(ctx, grad):
        index, share = ctx.saved_tensors
        out = torch.zeros(ctx.size, device=grad.device)
        out.index_add_(0, index.reshape(-1), (grad[:, None] * share).reshape(-1))
        return out, None, None


class PatternSum(nn.Module):
    def __init__(self, data, is_from_engine, is_fine=False, has_more=False):
        super().__init__()
        game = data.game
        self.data = data
        shape_list = games.shapes(game.has_corners)
        stored = games.layout_of(shape_list)
        if has_more:
            shape_list = shape_list + games.more_shapes(game.has_corners)
        self.indexes, self.layout, self.twin = data.patterns(shape_list, has_more)
        self.step = 6 if is_fine else games.STORED_STEP
        self.knots = 60 // self.step + 1
        sets = torch.zeros(self.knots, self.layout.size, device=device)
        if is_from_engine:
            path = f"{games.ROOT}/src/games/reversi/weights_{game.name}.bin"
            engine = games.read_patterns(path, stored, games.twins(stored), 6)
            engine = torch.tensor(engine, device=device)
            if is_fine:
                between = (engine[:-1] + engine[1:]) / 2
                pairs = torch.stack([engine[:-1], between], 1).flatten(0, 1)
                engine = torch.cat([pairs, engine[-1:]])
            sets[:, : stored.moves] = engine[:, : stored.moves]
            sets[:, self.layout.moves :] = engine[:, stored.moves :]
        self.weights = nn.Parameter(sets.flatten())
        self.origin = self.weights.detach().clone()
        self.early = torch.zeros(self.knots, self.layout.size, dtype=torch.bool, device=device)
        self.early[EARLY_KNOT:] = True
        self.early = self.early.flatten()

    def places(self, rows):
        index = self.indexes[rows].long()
        squares = 64 if self.data.game.has_corners else 60
        empty = squares - (self.data.own[rows] + self.data.other[rows])
        low = empty // self.step
        high = (low + 1).clamp(max=self.knots - 1)
        share = (empty % self.step / self.step)[:, None].expand(index.shape)
        size = self.layout.size
        both = torch.cat([index + low[:, None] * size, index + high[:, None] * size], 1)
        return both, torch.cat([1 - share, share], 1).float()

    def forward(self, rows):
        return WeightedSum.apply(self.weights, *self.places(rows))

    def export(self, path):
        sets = self.weights.detach().view(self.knots, -1).tolist()
        games.write_patterns(path, self.layout, self.twin.tolist(), sets)


class Network(nn.Module):
    """Two views of the board share the first layer; squared clipped units; outputs by piece count."""

    def __init__(self, data, hidden, is_from_engine):
        super().__init__()
        game = data.game
        self.data = data
        extra = {"hop": len(games.HOP_TIMES) + 1, "meichu": 2 * games.COINS}.get(game.name, 0)
        self.first = nn.Linear(game.kinds * game.squares + extra, hidden, device=device)
        self.last = nn.Linear(2 * hidden, BUCKETS, device=device)
        nn.init.constant_(self.first.bias, 0.25)
        nn.init.uniform_(self.last.weight, -0.05, 0.05)
        nn.init.zeros_(self.last.bias)
        if is_from_engine and os.path.exists(games.net_path(game)):
            self.load(games.read_net(games.net_path(game)))
        self.unit = 10.0 if game.counts_discs else 1.0
        self.kinds = torch.arange(1, game.kinds + 1, dtype=torch.uint8, device=device)
        self.swap = torch.tensor([0, 2, 1, 4, 3, 6, 5], dtype=torch.uint8, device=device)
        self.turned = torch.tensor([game.turned(s) for s in range(game.squares)], device=device)
        self.symmetries = [torch.tensor(s, device=device) for s in game.symmetries()]
        self.times = torch.tensor(games.HOP_TIMES, device=device)

    def inputs(self, cells, facts, is_other):
        if is_other:
            cells = self.swap[cells.long()][:, self.turned]
            facts = facts.flip(1)
        parts = [(cells[:, None, :] == self.kinds[None, :, None]).flatten(1)]
        if self.data.game.name == "hop":
            plies_left = facts[:, 1 if is_other else 0].contiguous()
            time_left = torch.bucketize(plies_left, self.times, right=True)
            parts.append(F.one_hot(time_left, len(games.HOP_TIMES) + 1).bool())
        elif self.data.game.name == "meichu":
            coins = facts.clamp(0, games.COINS - 1)
            parts.append(F.one_hot(coins[:, 0], games.COINS).bool())
            parts.append(F.one_hot(coins[:, 1], games.COINS).bool())
        return torch.cat(parts, 1).float()

    def forward(self, rows):
        cells = self.data.cells[rows]
        facts = self.data.facts[rows]
        if self.training:
            chunks = torch.tensor_split(cells, len(self.symmetries))
            cells = torch.cat([chunk[:, s] for chunk, s in zip(chunks, self.symmetries)])
        own = self.first(self.inputs(cells, facts, False))
        other = self.first(self.inputs(cells, facts, True))
        hidden = torch.cat([own, other], 1).clamp(0, 1).square()
        bucket = self.data.bucket[rows].long()
        return self.unit * self.last(hidden).gather(1, bucket[:, None])[:, 0]

    @torch.no_grad()
    def load(self, net):
        """Unless it is of another size."""
        if len(net.begin) == self.first.out_features:
            self.first.weight.copy_(torch.tensor(net.first, device=device).T)
            self.first.bias.copy_(torch.tensor(net.begin, device=device))
            self.last.weight.copy_(torch.tensor(net.last, device=device))
            self.last.bias.copy_(torch.tensor(net.bias, device=device))

    @torch.no_grad()
    def clip(self):
        """Within what 16-bit integers can hold at play time."""
        self.first.weight.clamp_(-1.98, 1.98)
        self.last.weight.clamp_(-1.98, 1.98)

    @torch.no_grad()
    def quantise(self):
        """To what the engine's integers can say."""
        self.first.weight.mul_(games.NET_ONE).round_().div_(games.NET_ONE)
        self.first.bias.mul_(games.NET_ONE).round_().div_(games.NET_ONE)
        self.last.weight.mul_(games.NET_LAST_ONE).round_().div_(games.NET_LAST_ONE)

    def export(self, path):
        first = self.first.weight.detach().T.tolist()
        begin = self.first.bias.detach().tolist()
        last = self.last.weight.detach().tolist()
        games.write_net(path, first, begin, last, self.last.bias.detach().tolist(), self.data.game.scale)


class Model(nn.Module):
    def __init__(self, table, network):
        super().__init__()
        self.table = table
        self.network = network

    def forward(self, rows):
        value = self.table(rows) if self.table else 0
        return value + self.network(rows) if self.network else value


def loss_of(game, value, target, reduction="mean"):
    if game.counts_discs:
        return F.mse_loss(value, target, reduction=reduction)
    return F.binary_cross_entropy_with_logits(value, target, reduction=reduction)


@torch.no_grad()
def predict(model, rows):
    model.eval()
    return torch.cat([model(part) for part in rows.split(1 << 17)])


def held_loss(data, value, rows):
    """Against results."""
    target = data.target(1.0)[rows]
    loss = loss_of(data.game, value, target).item() if len(rows) else math.nan
    return math.sqrt(loss) if data.game.counts_discs else loss


def learn(model, data, rows, target, seconds, rates, mask=None):
    """`rates` are the first rates of the table and of the network; they fall to 0."""
    groups = []
    if model.table:
        groups.append({"params": model.table.parameters(), "lr": rates[0], "first": rates[0]})
    if model.network and mask is None:
        groups.append({"params": model.network.parameters(), "lr": rates[1], "first": rates[1]})
    adam = torch.optim.Adam(groups, fused=device.type == "cuda")
    batch = min(BATCH if model.network else TABLE_BATCH, len(rows))
    in_epoch = len(rows) // batch
    most = EPOCHS * in_epoch
    begun = time.monotonic()
    step = 0
    progress = 0.0
    model.train()
    while progress < 1:
        if step % in_epoch == 0:
            order = rows[torch.randperm(len(rows), device=device)]
        for group in adam.param_groups:
            group["lr"] = group["first"] * (1 - progress)
        at = step % in_epoch * batch
        chosen = order[at : at + batch]
        adam.zero_grad(set_to_none=True)
        loss_of(data.game, model(chosen), target[chosen]).backward()
        if mask is not None:
            model.table.weights.grad *= mask
        adam.step()
        if model.network:
            model.network.clip()
        step += 1
        if step % 20 == 0 and device.type == "cuda":
            torch.cuda.synchronize()  # so that the clock tells what was done
        progress = max(step / most, (time.monotonic() - begun) / seconds)
    return step, step / in_epoch


@torch.no_grad()
def distrust_rare(table, rows):
    """Weights that were hardly visited stay near what they were."""
    visits = torch.zeros_like(table.weights)
    for part in rows.split(1 << 17):
        index, share = table.places(part)
        visits.index_add_(0, index.reshape(-1), share.reshape(-1))
    kept = visits / (visits + RARE)
    table.weights.copy_(table.origin + kept * (table.weights - table.origin))


@torch.no_grad()
def settle_discs(model, data, rows, target, first_knot):
    """What numbers of discs are worth, the other weights given: least squares over all positions, also
    those in which one side is nearly gone. Where it has hardly a disc the engine's evaluation stays, less
    FEAR."""
    table = model.table
    cells = games.DISCS * games.DISCS
    own, other = data.own[rows], data.other[rows]
    is_gone = torch.minimum(own, other) <= GONE
    feared = data.evaluation[rows] / 100 + FEAR * torch.where(own < other, -1.0, 1.0)
    wanted = torch.where(is_gone, feared, target[rows])
    sets = table.weights.data.view(table.knots, -1)[:, table.layout.discs :]
    before = sets.double()
    sets.zero_()
    rest = (wanted - predict(model, rows)).double()
    most = games.DISCS - 1
    cell = games.DISCS * own.clamp(max=most) + other.clamp(max=most)
    empty = (64 if data.game.has_corners else 60) - own - other
    low = empty // table.step
    high = (low + 1).clamp(max=table.knots - 1)
    share = (empty % table.step).double() / table.step
    ends = ((low, 1 - share), (high, share))
    products = torch.zeros(table.knots * table.knots * cells, dtype=torch.float64, device=device)
    sums = torch.zeros(table.knots * cells, dtype=torch.float64, device=device)
    for knot, weight in ends:
        sums.index_add_(0, knot * cells + cell, weight * rest)
        for other_knot, other_weight in ends:
            products.index_add_(0, (knot * table.knots + other_knot) * cells + cell, weight * other_weight)
    products = products.view(table.knots, table.knots, cells).permute(2, 0, 1)
    was = before.T.contiguous()
    gap = sums.view(table.knots, cells).T - (products @ was[:, :, None])[:, :, 0]
    trust = RARE * torch.eye(table.knots - first_knot, dtype=torch.float64, device=device)
    matrix = products[:, first_knot:, first_knot:] + trust
    was[:, first_knot:] += torch.linalg.solve(matrix, gap[:, first_knot:, None])[:, :, 0]
    sets.copy_(was.T.float())


def make_model(data, name, is_from_engine):
    base = name.removesuffix("-both")
    hidden = 0
    if base.isdigit() or base.startswith("net"):
        hidden = int(base.removeprefix("net"))
    network = Network(data, hidden, is_from_engine) if hidden else None
    if not data.game.counts_discs or base.startswith("net"):
        return Model(None, network)
    table = PatternSum(data, is_from_engine, base == "patterns-fine", base == "patterns-more")
    return Model(table, network)


def fit(data, config, seconds, out, kept):
    torch.manual_seed(SEED)
    name, _, percent = config.partition("@")
    name, _, share = name.partition("/")
    is_from_engine = not share
    is_early = name == "patterns-early"
    model = make_model(data, "patterns" if is_early else name, is_from_engine)
    taught = ~data.held
    if share:
        taught &= data.part < 1 / int(share)
    rows = (taught & ~data.lopsided).nonzero()[:, 0]
    held = (data.held & ~data.lopsided).nonzero()[:, 0]
    few = (data.held & data.lopsided).nonzero()[:, 0]
    target = data.target(int(percent) / 100 if percent else 0.5)
    begun = time.monotonic()
    rates = (0.02 if share else 0.01, 1e-3)
    before = held_loss(data, predict(model, held), held)
    few_before = held_loss(data, predict(model, few), few) if len(few) else math.nan
    steps, epochs = learn(model, data, rows, target, seconds, rates, model.table.early if is_early else None)
    if model.table:
        distrust_rare(model.table, rows)
        settle_discs(model, data, taught.nonzero()[:, 0], target, EARLY_KNOT if is_early else 0)
    if model.network:
        model.network.quantise()
    after = held_loss(data, predict(model, held), held)
    by_bucket = []
    for bucket in range(BUCKETS):
        inside = held[data.bucket[held] == bucket]
        by_bucket.append(round(held_loss(data, predict(model, inside), inside), 4) if len(inside) else None)
    if len(few):
        say(f"{data.game.name} {config} lopsided: {few_before:.4f} -> {held_loss(data, predict(model, few), few):.4f}")
    some = rows[torch.randperm(len(rows), device=device)[: len(held)]]
    say(
        f"{data.game.name} {config}: held back {before:.5f} -> {after:.5f}; {len(rows)} samples,"
        f" {steps} steps, {epochs:.1f} epochs, {time.monotonic() - begun:.1f} s; by pieces {by_bucket};"
        f" of learned ones {held_loss(data, predict(model, some), some):.5f}"
    )
    label = config.replace("@", "_").replace("/", "-")
    if name in ("patterns", "patterns-early"):
        model.table.export(f"{out}/weights_{data.game.name}{'' if label == 'patterns' else '_' + label}.bin")
    if not data.game.counts_discs:
        model.network.export(f"{out}/net_{data.game.name}_{label}.bin")
    if not share:
        for key, value in model.state_dict().items():
            kind = np.float16 if value.numel() > 1 << 19 else np.float32
            kept[f"{config}:{key}"] = value.cpu().numpy().astype(kind)
        np.savez_compressed(f"{out}/{data.game.name}.new.npz", **kept)
        os.replace(f"{out}/{data.game.name}.new.npz", f"{out}/{data.game.name}.npz")
    return {"config": config, "samples": len(rows), "steps": steps, "before": before, "after": after,
            "by_pieces": by_bucket}


def configs(game):
    if game.counts_discs:
        return ["patterns", "patterns-fine", "patterns-more", "64-both", "net128", "patterns/1", "patterns/3",
                "patterns/9", "patterns@0", "patterns@100", "net128/3", "net128/9"]
    return ["net256", "net256@100", "net128", "net256/1", "net256/3", "net256/9"]


def describe(data):
    """Says what there is, and checks that the weights here are the engine's."""
    game = data.game
    held = (data.held & ~data.lopsided).nonzero()[:, 0]
    say(f"{game.name}: {data.count} samples, {data.distinct()} distinct, {int(data.held.sum())} held back,"
        f" {int(data.lopsided.sum())} lopsided, on {device}")
    net = None if game.counts_discs else games.read_net(games.net_path(game))
    first = f"net{len(net.begin)}" if net else "patterns"
    some = torch.arange(max(0, data.count - (1 << 16)), data.count, device=device)
    value = predict(make_model(data, first, True), some)
    value = value * (net.scale if net else 100)
    difference = (value - data.evaluation[some]).abs().max().item()
    say(f"{game.name}: largest difference to the engine's evaluation {difference:.2f} hundredths")
    if difference >= 4:
        raise SystemExit("fit: failed: the samples were made with other weights or another layout")
    for name, scores in (("evaluation", data.evaluation), ("search", data.score)):
        if game.counts_discs:
            loss = held_loss(data, (scores / 100)[held], held)
            say(f"{game.name}: the engine's {name} itself {loss:.5f}")
        else:
            losses = {s: held_loss(data, (scores / s)[held], held) for s in range(20, 400, 4)}
            best = min(losses, key=losses.get)
            at_scale = held_loss(data, (scores / game.scale)[held], held)
            say(f"{game.name}: the engine's {name} itself {losses[best]:.5f} at scale {best}, {at_scale:.5f} at"
                f" {game.scale}")


def main():
    global log_file
    if len(sys.argv) < 5 or sys.argv[1] not in games.GAMES:
        raise SystemExit(__doc__)
    game = games.GAMES[sys.argv[1]]
    folder, out, seconds = sys.argv[2], sys.argv[3], float(sys.argv[4])
    os.makedirs(out, exist_ok=True)
    log_file = open(f"{out}/{game.name}.log", "w")
    data = Data(game, folder)
    describe(data)
    torch.set_float32_matmul_precision("high")
    wanted = sys.argv[5:] or configs(game)
    kept, results = {}, []
    for i, config in enumerate(wanted):
        left = seconds - (time.monotonic() - started)
        if left < 2 and i:
            say(f"no time for {' '.join(wanted[i:])}")
            break
        config, _, limit = config.partition(":")
        share = min(float(limit), left) if limit else 0.8 * left / (len(wanted) - i)
        try:
            results.append(fit(data, config, share, out, kept))
        except Exception:
            say(f"{game.name} {config} failed:\n{traceback.format_exc()}")
        with open(f"{out}/{game.name}.json", "w") as file:
            json.dump(results, file)
    open(f"{out}/{game.name}.fitted", "w").close()


if __name__ == "__main__":
    main()
