# --- Weights as text ---
# The weights at the end of this file are numbers between -3612 and 3612, and most of them are small. A letter stands for
# its place in LETTERS. The first 72 places are a number of one letter, -36 to 35. A zero is followed by a letter that says
# how many more zeros follow. The next twelve places begin a number of two letters, -510 to 509, and the last one begins a
# number of three.

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#&()*+,-./:;<=>[]^_{|}"


def unpack_numbers(lines):
    """The numbers in the lines, as a list."""
    places = map({letter: place for place, letter in enumerate(LETTERS)}.__getitem__, "".join(lines))
    numbers = []
    for place in places:
        if place == 36:
            numbers += [0] * (1 + next(places))
        elif place < 72:
            numbers.append(place - 36)
        elif place < 84:
            numbers.append((place - 72) * 85 + next(places) - 510)
        else:
            numbers.append(next(places) * 85 + next(places) - 3612)
    return numbers
