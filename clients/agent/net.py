# --- A small network ---
# An input is a fact about the position: an own piece on a square, some money left. The first layer adds up a row of numbers
# for each input that is true, once as Black sees the board and once as White does. The second layer clips and squares both
# sums, the side to move first, and weighs them; its weights depend on the number of pieces.
#
# A row is one long integer with 16 bits for each number: one addition adds a whole row. Two positions that are evaluated one
# after the other in a search differ in few inputs, so the sums are kept and only rows that differ are added and subtracted
# (the idea of Nasu's NNUE, 2018).

SQUARES = [0] * 32768 + [min(number, 255) ** 2 >> 3 for number in range(32768)]  # clipped and squared, by number + 32768


class Net:
    def __init__(self, numbers):
        inputs, self.hidden, buckets, self.scale = numbers[:4]
        self.format = struct.Struct("<%dH" % self.hidden)
        self.middle = sum(32768 << 16 * i for i in range(self.hidden))
        rows = [numbers[4 + i * self.hidden:4 + (i + 1) * self.hidden] for i in range(inputs + 1 + 2 * buckets)]
        self.rows = [self.pack(row) for row in rows[:inputs + 1]]
        self.last = rows[inputs + 1:]
        self.bias = [low + 4096 * (middle + 4096 * high) for low, middle, high in zip(*[iter(numbers[-3 * buckets:])] * 3)]
        self.sums = [self.rows[-1]] * 2  # by the side that looks
        self.inputs = [frozenset()] * 2  # that are in the sums

    def pack(self, row):
        return int.from_bytes(self.format.pack(*[number + 32768 for number in row]), "little") - self.middle

    def weigh(self, side, inputs, weights):
        """Changes the side's sums to those of these inputs, and weighs them."""
        present, total, rows = self.inputs[side], self.sums[side], self.rows
        for i in inputs - present:
            total += rows[i]
        for i in present - inputs:
            total -= rows[i]
        self.inputs[side], self.sums[side] = inputs, total
        fields = self.format.unpack((total + self.middle).to_bytes(2 * self.hidden, "little"))
        return sum(map(operator.mul, map(SQUARES.__getitem__, fields), weights))

    def value(self, bucket, side, inputs):
        """In hundredths, for `side`, which is to move; `inputs` are a set for each side that looks."""
        total = (self.bias[bucket] + self.weigh(side, inputs[side], self.last[2 * bucket])
                 + self.weigh(1 - side, inputs[1 - side], self.last[2 * bucket + 1]))
        return max(-10000, min(10000, total * self.scale // (255 * 255 * 128)))
