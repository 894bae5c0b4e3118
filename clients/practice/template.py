# --- The judge's side of standard input and output ---
# The agent talks to a person, and the judge plays that person: it reads bids and moves from what the agent prints, and
# types the opponent's.

NUMBER, MOST, MOST_IN_LINE = r"-?\d+", 10 ** 9, 4000  # a line: bytes, what follows counts as another one
MOVE_FORM = re.compile(r"Move\s*\(\s*(%s)\s*,\s*(%s)\s*\)\s*to\s*\(\s*(%s)\s*,\s*(%s)\s*\)" % ((NUMBER,) * 4))


def whole_numbers(text):
    return [max(-MOST, min(int(number), MOST)) for number in re.findall(NUMBER, text)]


def numbers_after(words, line, count):
    """The numbers that follow "My move :" in a line, in any brackets and as any type of NumPy: None if the line has no
    such words or ends too early, [] if what follows is not that many whole numbers."""
    found = re.search(words + r"\s*:", line)
    rest = re.sub(r"[A-Za-z_][\w.]*\(", "(", re.sub(r",\s*\w+=\w+", "", line[found.end():])) if found else ""
    if not found or re.match(r"[\s\[(,]*(%s[\s,]+){0,%d}$" % (NUMBER, count - 1 if count == 2 or "[" in rest else 0), rest):
        return None
    ends = r"(?![\d.+-])" if count == 2 else r"(?=\s*[\])]|[\s,]*$)"
    numbers = re.match(r"[\s\[(,]*%s([\s\[\](),]+%s){%d}%s" % (NUMBER, NUMBER, count - 1, ends), rest)
    return whole_numbers(numbers.group()) if numbers else []


def check_bid(line):
    """(colour, price) from a line, None if it has no bid."""
    numbers = numbers_after("My bid", line, 2)
    if numbers is None:
        return None
    if not numbers:
        raise Fault("invalid", "it printed '%.120s', which is not a bid; one looks like 'My bid: 0 5'" % line.strip())
    if numbers[0] not in (BLACK, WHITE):
        raise Fault("invalid", "the colour of its bid is %d; 0 is Black and 1 is White" % numbers[0])
    return tuple(numbers)


def check_move(line):
    """A move from a line, None if it has none."""
    form = MOVE_FORM.search(line)
    numbers = whole_numbers(form.group()) if form else numbers_after("My move", line, 4)
    if numbers is None:
        return None
    if not numbers:
        raise Fault("invalid", "it printed '%.120s', which is not a move; one looks like '@MOVE@'" % line.strip())
    for row, column in (numbers[:2], numbers[2:]):
        if not (0 <= row < ROWS and 0 <= column < COLUMNS):
            raise Fault("invalid", "square (%d, %d) of its move is off the board" % (row, column))
    return numbers[0] * COLUMNS + numbers[1], numbers[2] * COLUMNS + numbers[3]


class Agent(Process):
    """A thread reads what the program prints, so that a clock can run meanwhile."""

    lines, begun, last_line = None, 0.0, ""

    def begin(self):
        self.close()
        self.start(self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(os.environ, PYTHONUNBUFFERED="1"))
        self.lines = queue.Queue(1000)
        threading.Thread(target=self.read_lines, args=(self.process.stdout, self.lines), daemon=True).start()

    @staticmethod
    def read_lines(pipe, lines):
        for line in iter(lambda: pipe.readline(MOST_IN_LINE), b""):
            lines.put(line.decode("latin-1"))
        lines.put(None)

    def next_answer(self, check, deadline):
        """What `check` finds in the next lines, None if the time is over."""
        while time.perf_counter() < deadline:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.perf_counter()))
            except queue.Empty:
                break
            if line is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(1)
                self.check_is_running()
                raise Fault("crashed", "it has closed its standard output")
            answer = check(line)
            if answer is not None:
                return answer
            self.last_line = line.strip()[:200] or self.last_line
        return None

    def type(self, text):
        with contextlib.suppress(OSError):  # it has ended: its next turn shows that
            self.process.stdin.write(text.encode())
            self.process.stdin.flush()

    def bid(self):
        bid = self.next_answer(check_bid, time.perf_counter() + STARTUP_LIMIT + TIME_LIMIT + GRACE)
        if bid is None:
            raise Fault("late", "no bid within %.3f s; a bid is a line like 'My bid: 0 5', flushed"
                        % (STARTUP_LIMIT + TIME_LIMIT + GRACE))
        return bid

    def learn(self, own, other, colour, is_tie):
        self.type("%d\n%d\n" % (other[0], min(other[1], MAX_PRICE)) + ("%d\n" % colour if is_tie else ""))

    def observe(self, move, is_own):
        if not is_own and move != PASS:
            self.type("%d %d %d %d\n" % (divmod(move[0], COLUMNS) + divmod(move[1], COLUMNS)))

    def ask(self, _):
        self.begun = time.perf_counter()

    def wait(self, seconds):
        move = self.next_answer(check_move, self.begun + seconds)
        if move is None and self.last_line:
            say("%s printed last: %s" % (self.name, self.last_line))
        return move

    def close(self):
        if self.is_running():
            self.type("\n")
        self.kill()

    end = close
