def read_numbers(count, prompt):
    """The next whole numbers from standard input, on however many lines they come."""
    numbers = []
    print(prompt, end="", flush=True)
    while len(numbers) < count:
        line = sys.stdin.readline()
        if not line:
            sys.exit("the input ended in the middle of the game")
        numbers += [int(word) for word in line.split()]
    return numbers
