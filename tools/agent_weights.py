"""agent_weights: writes the engine's weights as text, for the agents of `plum agent --source`.

usage: python3 tools/agent_weights.py [check]      run in the project's root; check: only compare

Writes src/games/{hop,meichu,reversi}/kit/weights.txt. Each line is a string and a comma, so that C++ and
Python can include the file in the middle of a list. clients/agent/numbers.hpp and numbers.py read the
numbers in it:

    one letter        -36 … 35; a zero is followed by a letter that says how many more zeros follow
    two letters       -510 … 509, the first letter is one of the next twelve
    three letters     -3612 … 3612, the first letter is the last of all

The files of the engine are described in tools/net_weights.c and src/games/reversi/unpack. The networks are
written whole. Of Reversi's six sets of weights, for 0, 12, … 60 empty squares, the first is left out: an
agent solves such positions. The others are halved, so that the file has less than 400 KB.
"""
import array
import sys

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#&()*+,-./:;<=>[]^_{|}"
BASE, SMALL, MIDDLE, LARGE = len(LETTERS), 36, 510, 3612
LINE = 116
REVERSI_SETS = 6


def letters_of(number):
    if -SMALL <= number < SMALL:
        return LETTERS[number + SMALL]
    if -MIDDLE <= number < MIDDLE:
        high, low = divmod(number + MIDDLE, BASE)
        return LETTERS[2 * SMALL + high] + LETTERS[low]
    assert -LARGE <= number <= LARGE
    high, low = divmod(number + LARGE, BASE)
    return LETTERS[-1] + LETTERS[high] + LETTERS[low]


def text_of(numbers):
    parts, zeros = [], 0
    for i, number in enumerate(numbers):
        if zeros:
            zeros -= 1
        elif number == 0:
            while zeros < BASE - 1 and i + 1 + zeros < len(numbers) and numbers[i + 1 + zeros] == 0:
                zeros += 1
            parts.append(LETTERS[SMALL] + LETTERS[zeros])
        else:
            parts.append(letters_of(number))
    text = "".join(parts)
    return "".join('"%s",\n' % text[i:i + LINE] for i in range(0, len(text), LINE))


def net_numbers(path):
    """Inputs, hidden units, buckets, scale; the weights; each bias as three digits of base 4096 around 0."""
    numbers = array.array("h")
    with open(path, "rb") as file:
        numbers.frombytes(file.read())
    if sys.byteorder == "big":
        numbers.byteswap()
    buckets = numbers[2]
    biases = numbers[-2 * buckets:]
    digits = []
    for low, high in zip(biases[::2], biases[1::2]):
        bias = high * 65536 + low % 65536
        for _ in range(3):
            digit = (bias + 2048) % 4096 - 2048
            digits.append(digit)
            bias = (bias - digit) // 4096
        assert bias == 0
    return list(numbers[:-2 * buckets]) + digits


def pattern_numbers(path):
    with open(path, "rb") as file:
        packed = file.read()
    weights, i = [], 0
    while i < len(packed):
        if packed[i] == 0:
            weights += [0] * packed[i + 1]
            i += 1
        else:
            weights.append(packed[i] - 256 * (packed[i] > 127))
        i += 1
    return [round(weight / 2) for weight in weights[len(weights) // REVERSI_SETS:]]


def main():
    is_same = True
    for game, numbers in (("hop", net_numbers("src/games/hop/net.bin")),
                          ("meichu", net_numbers("src/games/meichu/net.bin")),
                          ("reversi", pattern_numbers("src/games/reversi/weights_reversi.bin"))):
        path, text = "src/games/%s/kit/weights.txt" % game, text_of(numbers)
        if sys.argv[1:] == ["check"]:
            with open(path) as file:
                if file.read() != text:
                    print("%s is not what the engine has: run 'make agent-weights'" % path)
                    is_same = False
            continue
        with open(path, "w") as file:
            file.write(text)
        print("%s: %d bytes" % (path, len(text)))
    sys.exit(not is_same)


if __name__ == "__main__":
    main()
