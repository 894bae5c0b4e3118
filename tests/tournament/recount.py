"""recount: a tournament counted a second time, from its roster and `plum tournament export` alone.

Written from the rules of the course and docs/tournaments.md. It does not know plum's code or its database. The one
thing that it takes from plum is the lot, because that is drawn. It is slow and plain on purpose: pairings are found
by trying all of them.
"""
import configparser
import functools
import math
import re

FIGURES = ("points", "wins", "differential", "buchholz", "sonneborn-berger", "direct", "lot")
LATE_COUNTS = ("meichu",)  # where a late move is the program's own


class Game:
    """One record. `teams` and `score` are Black's and White's."""

    def __init__(self, tags, lines, number_of):
        where, number = tags["Round"].split(".")
        self.is_qualification = where == "qualification"
        self.round, self.number = 0 if self.is_qualification else int(where), int(number)
        self.teams = tuple(None if self.is_qualification and tags[side] == "random" else number_of[tags[side]]
                           for side in ("Black", "White"))
        self.result = tags["Result"]
        self.score = tuple(int(part) for part in re.fullmatch(r"(-?\d+)-(-?\d+)", tags["Score"]).groups())
        self.reason = tags["Reason"]
        self.plies = sum(1 for line in lines if re.match(r"\d+\. ", line))
        self.faults = ([], [])
        for line in lines:
            found = re.match(r"(?:\d+\. )?\{?([bw]) .*?fault=(\w+)", line)
            if found:
                self.faults["bw".index(found.group(1))].append(found.group(2))

    def is_won(self, place):
        return self.result == ("1-0", "0-1")[place]

    def is_drawn(self):
        return self.result == "1/2-1/2"

    def share(self, place):
        """1 for a win, 0.5 for a draw."""
        return 0.5 if self.is_drawn() else float(self.is_won(place))

    def is_unstarted(self):
        return self.reason in ("no-start", "both-absent")

    def has_started(self, place):
        return not self.is_unstarted() or self.is_won(place)

    def is_by_fault(self):
        return self.reason in ("no-start", "both-absent", "no-bid", "late-limit", "late", "invalid", "crashed",
                               "malformed", "hostile")


class Roster:
    def __init__(self, text):
        ini = configparser.ConfigParser(interpolation=None, strict=True)
        self.references = re.findall(r"(?m)^reference = (.*)$", text)  # a key that may be repeated
        ini.read_string(re.sub(r"(?m)^reference = .*\n", "", text))
        keys = ini["tournament"]
        sections = [ini[name] for name in ini.sections() if name.startswith("team ")]
        self.ids = [section.name.split(" ", 1)[1] for section in sections]
        self.count = len(sections)
        self.game = keys["game"]
        self.format = keys.get("format", "double-round-robin")
        self.games = int(keys.get("games_per_pairing", "2"))
        self.leaves = [int(section.get("withdrawn_after", "1000000")) for section in sections]
        self.has_no_program = ["no_program" in section for section in sections]
        self.days_late = [int(section.get("days_late", "0")) for section in sections]
        self.has_wrong_name = [section.get("wrong_name", "no") == "yes" for section in sections]
        self.late_after = [int(section.get("entered_after", "-1")) for section in sections]
        first = sum(rounds < 0 for rounds in self.late_after)
        late = self.count - first
        bits = math.ceil(math.log2(first))
        usual = {"double-round-robin": first - 1 + first % 2 + late, "gauntlet": 1 + late, "knockout": bits,
                 "swiss": bits + 2}[self.format]
        self.rounds = int(keys.get("rounds", str(usual)))
        self.win, self.draw, self.loss = (int(word) for word in keys.get("points", "2 1 0").split())
        self.bye = int(keys.get("bye_points", str(self.win)))
        words = keys.get("tiebreaks", "wins, differential, buchholz, sonneborn-berger, direct")
        self.tiebreaks = [word.strip() for word in words.split(",")]
        usual = "yes" if self.format == "swiss" else "no"
        self.has_qualification = keys.get("qualification", usual) == "yes"
        self.entered = [True] * self.count  # see enter

    def active(self, number):
        """The teams that are paired in a round of a Swiss tournament; from 1."""
        return {team for team in range(self.count)
                if self.entered[team] and self.late_after[team] < number <= self.leaves[team]}

    def late_teams(self):
        """Those that have a round of their own. If no other team is paired, the first of them has none."""
        entered = [team for team in range(self.count) if self.entered[team]]
        return entered[max(1, sum(self.late_after[team] < 0 for team in entered)):]

    def ends_early(self):
        return self.format == "swiss" and any(len(self.active(number)) < 2 for number in range(1, self.rounds + 1))

    def points(self, game, place):
        """What the rules give for a game; one that both lost gives nothing."""
        if game.result == "0-0":
            return 0
        return self.draw if game.is_drawn() else self.win if game.is_won(place) else self.loss

    def enter(self, trials):
        """Only teams that qualify are paired. Each plays two games against random, with each colour once."""
        expected = [team for team in range(self.count)
                    if self.has_qualification and self.leaves[team] > max(0, self.late_after[team])]
        assert sorted(team for game in trials for team in game.teams if team is not None) == sorted(2 * expected), \
            "the games of the qualification"
        for team in expected:
            own = [game for game in trials if team in game.teams]
            is_bought = self.game in LATE_COUNTS
            assert is_bought or {game.teams.index(team) for game in own} == {0, 1}, "the colours of team %d" % team
            self.entered[team] = qualifies(self, own, team)
        count = sum(self.entered)
        late = len(self.late_teams())
        first = count - late
        if count < self.count and self.format == "double-round-robin":
            self.rounds = first - 1 + first % 2 * (first > 1) + late if count > 1 else 0
        elif count < self.count and self.format == "gauntlet":
            self.rounds = (first > 1) + late if count > 1 and self.entered[0] else 0
        elif count < self.count and self.format == "knockout":
            self.rounds = math.ceil(math.log2(count)) if count > 1 else 0


def read_export(text, roster):
    """The games that count, those against references, whose numbers follow those of the teams, and those of the
    qualification."""
    number_of = {name: number for number, name in enumerate(roster.ids + roster.references)}
    games = []
    for part in re.split(r"(?m)^(?=\[Game )", text):
        if part.strip():
            tags = dict(re.findall(r'(?m)^\[(\w+) "(.*)"\]$', part))
            games.append(Game(tags, [line for line in part.splitlines() if line and line[0] != "["], number_of))
    games.sort(key=lambda game: game.number)
    trials = [game for game in games if game.is_qualification]
    games = [game for game in games if not game.is_qualification]
    return ([game for game in games if max(game.teams) < roster.count],
            [game for game in games if max(game.teams) >= roster.count], trials)


def check_references(roster, games, reference_games):
    """Every team that is there in the last round meets every reference in a pairing, after all other games."""
    for game in reference_games:
        assert min(game.teams) < roster.count, "two references meet"
        assert game.round == roster.rounds, "a game against a reference in round %d" % game.round
        assert not games or game.number > games[-1].number, "game %d comes before others" % game.number
    for reference in range(roster.count, roster.count + len(roster.references)):
        for team in range(roster.count):
            own = [game for game in reference_games if {team, reference} == set(game.teams)]
            is_there = roster.entered[team] and roster.leaves[team] >= roster.rounds > 0 and not roster.ends_early()
            assert len(own) == (roster.games if is_there else 0), "%d has %d games against %d" % (
                team, len(own), reference)
            blacks = sum(game.teams[0] == team for game in own)
            assert roster.game in LATE_COUNTS or abs(2 * blacks - len(own)) <= 1, "the colours of %d" % team


def reference_row(games, reference):
    own = [(game, game.teams.index(reference)) for game in games if reference in game.teams]
    return {"played": len(own), "won": sum(game.is_won(place) for game, place in own),
            "drawn": sum(game.is_drawn() for game, place in own),
            "lost": sum(not game.is_drawn() and not game.is_won(place) for game, place in own), "byes": 0,
            "scored": sum(game.score[place] for game, place in own),
            "conceded": sum(game.score[1 - place] for game, place in own)}


def cannot_start(roster, games):
    """By team: no program, or no start in any game."""
    out = list(roster.has_no_program)
    for team in range(roster.count):
        own = [(game, game.teams.index(team)) for game in games if team in game.teams]
        if own:
            out[team] = not any(game.has_started(place) for game, place in own)
    return out


def byes_of(roster, games, before=None):
    """The games of byes that count: a list of (team, round). `before`: only earlier rounds."""
    byes = []
    absent = cannot_start(roster, games)
    if roster.format in ("swiss", "knockout"):
        alive = {team for team in range(roster.count) if roster.entered[team]}
        for number in range(1, (before or roster.rounds + 1)):
            playing = [game for game in games if game.round == number]
            busy = {team for game in playing for team in game.teams}
            if roster.format == "swiss":
                alive = roster.active(number)
                if len(alive) < 2:
                    break
            rest = sorted(alive - busy)
            if roster.format == "swiss" and len(rest) > 1:
                raise AssertionError("round %d: teams without a game: %s" % (number, rest))
            byes += [(team, number) for team in rest for _ in range(roster.games)]
            if roster.format == "knockout":
                alive = set(rest) | {knockout_winner(roster, games, number, pair)
                                     for pair in {tuple(sorted(game.teams)) for game in playing}}
    else:  # every game that is missing belongs to a team that has left
        pairs = [(a, b) for a in range(roster.count) for b in range(a + 1, roster.count)
                 if (roster.format != "gauntlet" or a == 0) and roster.entered[a] and roster.entered[b]]
        for a, b in pairs:
            missing = roster.games - sum({a, b} == set(game.teams) for game in games)
            stay = [team for team in (a, b) if roster.leaves[team] >= roster.rounds]
            if missing and len(stay) == 1:
                byes += [(stay[0], (a, b))] * missing
            elif missing:
                raise AssertionError("games of %d and %d are missing" % (a, b))
    return [(team, when) for team, when in byes if not absent[team]]


def knockout_winner(roster, games, number, pair):
    made = {team: [0, 0] for team in pair}
    for game in games:
        if game.round == number and set(game.teams) == set(pair) and game.result != "0-0":
            for place, team in enumerate(game.teams):
                made[team][0] += roster.points(game, place)
                made[team][1] += game.score[place] - game.score[1 - place]
    return max(pair, key=lambda team: (made[team], -team))


def figures_of(roster, games, byes, lots):
    """By team: the figures without 'direct'."""
    points = [roster.bye * sum(team == bye for bye, _ in byes) for team in range(roster.count)]
    for game in games:
        for place, team in enumerate(game.teams):
            points[team] += roster.points(game, place)
    out = []
    for team in range(roster.count):
        own = [(game, game.teams.index(team)) for game in games if team in game.teams]
        rests = [when for bye, when in byes if bye == team]
        meetings = {(game.teams[1 - place], game.round) for game, place in own}
        opponents = [points[other] for other, _ in meetings] + [points[team]] * len(set(rests))
        out.append({
            "points": points[team],
            "wins": sum(game.is_won(place) for game, place in own),
            "differential": sum(game.score[place] - game.score[1 - place] for game, place in own),
            "buchholz": sum(opponents) - min(opponents, default=0),
            "sonneborn-berger": sum(roster.points(game, place) * points[game.teams[1 - place]] for game, place in own)
                                + roster.bye * points[team] * len(rests),
            "lot": lots[team],
            "row": {"played": len(own), "won": sum(game.is_won(place) for game, place in own),
                    "drawn": sum(game.is_drawn() for game, place in own),
                    "lost": sum(not game.is_drawn() and not game.is_won(place) for game, place in own),
                    "byes": len(rests),
                    "scored": sum(game.score[place] for game, place in own),
                    "conceded": sum(game.score[1 - place] for game, place in own)},
        })
    return out


def ranking(roster, games, byes, lots, tiers):
    """The teams, best first, and their figures."""
    figures = figures_of(roster, games, byes, lots)
    met = {frozenset(game.teams) for game in games}
    at = roster.tiebreaks.index("direct") if "direct" in roster.tiebreaks else len(roster.tiebreaks)
    before, after = roster.tiebreaks[:at], roster.tiebreaks[at + 1:]
    key = lambda team: (tiers[team], figures[team]["points"]) + tuple(figures[team][name] for name in before)
    for team in range(roster.count):
        equals = [other for other in range(roster.count) if key(other) == key(team)]
        have_met = all(frozenset((a, b)) in met for a in equals for b in equals if a != b)
        figures[team]["direct"] = None
        if len(equals) > 1 and have_met:
            figures[team]["direct"] = sum(roster.points(game, game.teams.index(team)) for game in games
                                          if team in game.teams and set(game.teams) <= set(equals))
    direct = lambda team: (figures[team]["direct"] or 0) if "direct" in roster.tiebreaks else 0
    order = sorted(range(roster.count), reverse=True,
                   key=lambda team: key(team) + (direct(team),) + tuple(figures[team][name] for name in after)
                   + (figures[team]["lot"],))
    return order, figures


def final_ranking(roster, games, lots):
    tiers = [-1 if roster.format != "knockout" and roster.leaves[team] < roster.rounds else 0
             for team in range(roster.count)]
    tiers = [tier if entered else -1 for tier, entered in zip(tiers, roster.entered)]
    if roster.format == "knockout":
        for number in range(1, roster.rounds + 1):
            for pair in {tuple(sorted(game.teams)) for game in games if game.round == number}:
                for team in pair:
                    tiers[team] = max(tiers[team], number - 1)
                tiers[knockout_winner(roster, games, number, pair)] = number
    return ranking(roster, games, byes_of(roster, games), lots, tiers)


# --- Pairings ---

def matchings(teams):
    """All ways to pair an even number of teams, the highest opponent of the highest team first."""
    if not teams:
        yield []
        return
    for at in range(1, len(teams)):
        for rest in matchings(teams[1:at] + teams[at + 1:]):
            yield [(teams[0], teams[at])] + rest


class Colours:
    """The colours of each team's games so far."""

    def __init__(self, count):
        self.lists = ["" for _ in range(count)]

    def add(self, game):
        for place, team in enumerate(game.teams):
            self.lists[team] += "bw"[place]

    def ahead(self, team):
        return self.lists[team].count("b") - self.lists[team].count("w")

    def is_even(self, team):
        """Within one game, and a colour that makes them even again would not be the third in a row."""
        third = {"bb": 1, "ww": -1}.get(self.lists[team][-2:], 0)
        return abs(self.ahead(team)) <= 1 and (third == 0 or third * self.ahead(team) > 0)

    def is_good(self, team, colour, most):
        ahead = self.ahead(team) + (1 if colour == "b" else -1)
        return not self.lists[team].endswith(2 * colour) and (abs(ahead) <= most or abs(ahead) < abs(self.ahead(team)))

    def fit(self, pair, most):
        return any(self.is_good(pair[0], colour, most) and self.is_good(pair[1], "bw"[colour == "b"], most)
                   for colour in "bw")


class Later:
    """Whether rounds can be paired without a rematch, all colours within one game. Teams are numbered by rank."""

    def __init__(self, able):
        self.able = able  # the teams that can have a bye

    def rests(self, byes):
        if len(byes) % 2 == 0:
            return [None]
        fewest = min(byes[team] for team in self.able)
        return [team for team in reversed(self.able) if byes[team] == fewest]

    @functools.lru_cache(maxsize=None)
    def can_pair(self, rounds, unmet, ahead, byes):
        """`unmet`: pairs; the others by team."""
        if rounds == 0:
            return True
        opponents = [sum(team in pair for pair in unmet) for team in range(len(byes))]
        rests = sum(max(0, rounds - count) for count in opponents)  # that are needed
        return rests <= rounds * (len(byes) % 2) and any(
            self.can_complete(rounds, unmet, ahead, rest_of(byes, rest), frozenset(range(len(byes))) - {rest})
            for rest in self.rests(byes))

    def can_complete(self, rounds, unmet, ahead, byes, left, pairs=()):
        """The same where these teams are left in the first round, or these pairs without colours."""
        if left:
            top = min(left)
            return any(self.can_complete(rounds, unmet - {(top, other)}, ahead, byes, left - {top, other},
                                         pairs + ((top, other),))
                       for other in sorted(left) if (top, other) in unmet and ahead[top] * ahead[other] <= 0)
        if not pairs:
            return self.can_pair(rounds - 1, unmet, ahead, byes)
        for black, white in (pairs[0], pairs[0][::-1]):
            if ahead[black] <= 0 <= ahead[white]:
                then = tuple(value + (team == black) - (team == white) for team, value in enumerate(ahead))
                if self.can_complete(rounds, unmet, then, byes, left, pairs[1:]):
                    return True
        return False


def rest_of(byes, rest):
    return tuple(value + (team == rest) for team, value in enumerate(byes))


def swiss_round_with_a_view(active, met, byes, absent, colours, rounds):
    """The pairings after which most of the later rounds can be paired with even colours, or None; and how many of
    the rounds can be."""
    count = len(active)
    every = [(a, b) for b in range(count) for a in range(b)]
    times = {pair: met.get(frozenset(active[at] for at in pair), 0) for pair in every}
    unmet = frozenset(pair for pair in every if times[pair] == min(times.values()))
    ahead = tuple(colours.ahead(team) for team in active)
    later = Later(able_to_rest(active, absent))
    own_byes = tuple(byes[team] for team in active)
    while rounds and not later.can_pair(rounds, unmet, ahead, own_byes):
        rounds -= 1
    for rest in later.rests(own_byes) if rounds else ():
        for option in matchings([at for at in range(count) if at != rest]):
            if (unmet.issuperset(option) and all(ahead[a] * ahead[b] <= 0 for a, b in option) and later.can_complete(
                    rounds, unmet.difference(option), ahead, rest_of(own_byes, rest), (), tuple(option))):
                return ({frozenset(active[at] for at in pair) for pair in option},
                        None if rest is None else active[rest], 1), rounds
    return None, 0


def able_to_rest(active, absent):
    return [at for at, team in enumerate(active) if not absent[team]] or list(range(len(active)))


class Search:
    """Rounds that may need rematches or uneven colours: each with the fewest rematches that it can have. Teams are
    numbered by rank; `met` is by pair, the colours of a team are how far it is ahead and its last two."""

    def __init__(self, able, count, games, meanwhile, end):
        self.later = Later(able)
        self.pairs = [(a, b) for b in range(count) for a in range(b)]
        self.games = games
        self.meanwhile = meanwhile  # how many games a team may be ahead
        self.end = end

    @functools.lru_cache(maxsize=None)
    def options(self, met, byes):
        """Byes and pairs by the rules, the preferred ones first."""
        times = dict(zip(self.pairs, met))
        rests = self.later.rests(byes)
        every = [(rest, tuple(option)) for rest in rests
                 for option in matchings([at for at in range(len(byes)) if at != rest])]
        count = lambda way: sum(times[pair] > min(met) for pair in way[1])
        fewest = min(map(count, every))
        return sorted((way for way in every if count(way) == fewest),
                      key=lambda way: (rests.index(way[0]), [(times[pair], pair[1]) for pair in way[1]]))

    def choose(self, rounds, met, byes, colours):
        for rest, option in self.options(met, byes):
            then = tuple(times + (pair in option) for pair, times in zip(self.pairs, met))
            if self.can_colour(rounds, then, rest_of(byes, rest), colours, option):
                return rest, option
        return None

    @functools.lru_cache(maxsize=None)
    def can_end(self, rounds, met, byes, colours):
        if any(abs(ahead) > self.end + rounds for ahead, _ in colours):
            return False
        return rounds == 0 or self.choose(rounds, met, byes, colours) is not None

    def can_colour(self, rounds, met, byes, colours, pairs):
        if not pairs:
            return self.can_end(rounds - 1, met, byes, colours)
        for black, white in (pairs[0], pairs[0][::-1]):
            if self.is_good(colours[black], "b") and self.is_good(colours[white], "w"):
                then = list(colours)
                then[black] = self.after(colours[black], "bw")
                then[white] = self.after(colours[white], "wb")
                if self.can_colour(rounds, met, byes, tuple(then), pairs[1:]):
                    return True
        return False

    def is_good(self, own, colour):
        ahead = own[0] + (1 if colour == "b" else -1)
        return own[1] != 2 * colour and (abs(ahead) <= self.meanwhile or abs(ahead) < abs(own[0]))

    def after(self, own, order):
        ahead, last = own
        for game in range(self.games):
            ahead += 1 if order[game % 2] == "b" else -1
            last = (last + order[game % 2])[-2:]
        return ahead, last


def swiss_round_by_search(active, met, byes, absent, colours, rounds, planned, games):
    """The pairings after which all colours can be even after more rounds than `planned`, or None. If no round is
    planned: else those that are as even as possible now."""
    tries = [(left, meanwhile, 1) for left in range(rounds, planned, -1) for meanwhile in (1, 2)]
    tries += [] if planned else [(1, 1, 2), (1, 2, 2)]
    for left, meanwhile, end in tries:
        search = Search(able_to_rest(active, absent), len(active), games, meanwhile, end)
        found = search.choose(left, tuple(met.get(frozenset((active[a], active[b])), 0) for a, b in search.pairs),
                              tuple(byes[team] for team in active),
                              tuple((colours.ahead(team), colours.lists[team][-2:]) for team in active))
        if found:
            rest, option = found
            return ({frozenset(active[at] for at in pair) for pair in option}, None if rest is None else active[rest],
                    max(meanwhile, end))
    return None


def swiss_round(active, met, byes, absent, colours, rounds, games, is_same_field):
    """The pairings that docs/tournaments.md prescribes when so many rounds are left: a set of pairs, the team
    with the bye or None, and how far colours may be from even then (None: any). `is_same_field`: no team has left
    or entered."""
    if colours:
        found, planned = None, 0
        if all(colours.is_even(team) for team in active):
            found, planned = swiss_round_with_a_view(active, met, byes, absent, colours, rounds)
        searched = None
        if planned < rounds and not (planned and is_same_field):
            searched = swiss_round_by_search(active, met, byes, absent, colours, rounds, planned, games)
        if searched or found:
            return searched or found
    rests = [None]
    if len(active) % 2:
        able = [team for team in active if not absent[team]] or active
        fewest = min(byes[team] for team in able)
        rests = [team for team in reversed(active) if team in able and byes[team] == fewest]
    for most in (1, 2, None) if colours else (None,):
        best = None
        for rest in rests:
            options = list(matchings([team for team in active if team != rest]))
            if most:
                options = [option for option in options if all(colours.fit(pair, most) for pair in option)
                           and not any(met.get(frozenset(pair), 0) for pair in option)]
            if not options:
                continue
            count = lambda option: sum(met.get(frozenset(pair), 0) > 0 for pair in option)
            fewest = min(map(count, options))
            if best is None or fewest < best[0]:
                chosen = [option for option in options if count(option) == fewest]
                wish = lambda option: [(met.get(frozenset(pair), 0), colours is not None and not most
                                        and not colours.fit(pair, 1), active.index(pair[1])) for pair in option]
                best = (fewest, rest, min(chosen, key=wish))
        if best:
            return {frozenset(pair) for pair in best[2]}, best[1], most
    raise AssertionError("no pairing")


def check_swiss(roster, games, lots):
    """Returns whether all colours could be even within one game in every round."""
    could_be_even = True
    colours = Colours(roster.count)
    rests = [0] * roster.count
    for number in range(1, roster.rounds + 1):
        before = [game for game in games if game.round < number]
        active = roster.active(number)
        playing = [game for game in games if game.round == number]
        if len(active) < 2:
            assert not playing, "round %d is played by one team" % number
            return could_be_even
        order, _ = ranking(roster, before, byes_of(roster, before, number), lots, [0] * roster.count)
        met = {}
        for number_before in range(1, number):
            for pair in {frozenset(game.teams) for game in before if game.round == number_before}:
                met[pair] = met.get(pair, 0) + 1
        is_odd = roster.games % 2 and roster.game not in LATE_COUNTS
        wanted, rest, most = swiss_round([team for team in order if team in active], met, rests,
                                         cannot_start(roster, before), colours if is_odd else None,
                                         roster.rounds - number + 1, roster.games,
                                         all(roster.active(earlier) == active for earlier in range(1, number)))
        could_be_even = could_be_even and (most == 1 or not is_odd)
        got = {frozenset(game.teams) for game in playing}
        assert got == wanted, "round %d: pairings %s instead of %s" % (number, sorted(map(sorted, got)),
                                                                      sorted(map(sorted, wanted)))
        if rest is not None:
            rests[rest] += 1
        for game in playing:
            colours.add(game)
    return could_be_even


def check_round_robin(roster, games):
    for number in range(1, roster.rounds + 1):
        pairs = {frozenset(game.teams) for game in games if game.round == number}
        teams = [team for pair in pairs for team in pair]
        late_teams = roster.late_teams()
        if roster.format == "double-round-robin" and number > roster.rounds - len(late_teams):
            late = late_teams[number - roster.rounds - 1]
            assert all(late in pair and max(pair) == late for pair in pairs), "round %d is not that of %d" % (number, late)
        else:
            assert roster.format == "gauntlet" or len(teams) == len(set(teams)), "a team plays twice in round %d" % number
    for a in range(roster.count):
        for b in range(a):
            own = [game for game in games if {a, b} == set(game.teams)]
            blacks = sum(game.teams[0] == a for game in own)
            assert len({game.round for game in own}) <= 1, "%d and %d meet in two rounds" % (a, b)
            assert len(own) in (0, roster.games), "%d and %d have %d games" % (a, b, len(own))
            assert not own or roster.entered[a] and roster.entered[b], "%d or %d is not qualified" % (a, b)
            is_bought = roster.game in LATE_COUNTS  # an auction gives the colours
            assert is_bought or abs(2 * blacks - len(own)) <= 1, "the colours of %d and %d" % (a, b)


def check_knockout(roster, games):
    """The bracket: seeds in the order of the roster, those without a program last."""
    seeds = sorted((team for team in range(roster.count) if roster.entered[team]),
                   key=lambda team: (roster.has_no_program[team], team))
    slots = [0]
    while len(slots) < len(seeds):
        slots = [seed for slot in slots for seed in (slot, 2 * len(slots) - 1 - slot)]
    alive = [seeds[slot] if slot < len(seeds) else None for slot in slots]
    for number in range(1, roster.rounds + 1):
        pairs = [tuple(alive[at:at + 2]) for at in range(0, len(alive), 2)]
        wanted = {frozenset(pair) for pair in pairs if None not in pair}
        gone = {pair for pair in wanted if any(roster.leaves[team] < number for team in pair)}
        got = {frozenset(game.teams) for game in games if game.round == number}
        assert got == wanted - gone, "round %d: %s instead of %s" % (number, got, wanted - gone)
        alive = [next(team for team in pair if team is not None) if None in pair
                 else knockout_winner(roster, games, number, pair) if frozenset(pair) in got
                 else next(team for team in pair if roster.leaves[team] >= number) for pair in pairs]


def check_colours(roster, games):
    """Within one game of even, and never three times in a row."""
    colours = Colours(roster.count)
    for game in games:
        colours.add(game)
    if roster.game in LATE_COUNTS:
        return
    for team in range(roster.count):
        ahead = colours.ahead(team)
        is_even = abs(ahead) <= 1 and not re.search("bbb|www", colours.lists[team])
        assert is_even, "the colours of team %d: %s" % (team, colours.lists[team])


def check_pairings(roster, games, lots):
    assert [game.number for game in games] == sorted({game.number for game in games}), "numbers of games"
    could_be_even = roster.format != "knockout"
    if roster.format == "swiss":
        could_be_even = check_swiss(roster, games, lots)
    elif roster.format == "knockout":
        check_knockout(roster, games)
    else:
        check_round_robin(roster, games)
    if could_be_even:
        check_colours(roster, games)


# --- Ratings ---

def ratings(roster, games):
    """By team: (elo, error), or None; and a function for the likelihood that one is stronger than another."""
    counted = [game for game in games if game.result != "0-0"]
    teams = sorted({team for game in counted for team in game.teams})
    size = len(teams)
    strength = [0.0] * size
    at = {team: place for place, team in enumerate(teams)}
    win = lambda gap: 1 / (1 + math.exp(-gap))
    inverse = []
    for _ in range(60):
        slope = [0.5 - win(x) for x in strength]  # one drawn game against an average opponent
        curve = [[win(x) * (1 - win(x)) if i == k else 0.0 for k in range(size)] for i, x in enumerate(strength)]
        for game in counted:
            a, b = (at[team] for team in game.teams)
            chance = win(strength[a] - strength[b])
            slope[a] += game.share(0) - chance
            slope[b] -= game.share(0) - chance
            for i, k in ((a, b), (b, a)):
                curve[i][i] += chance * (1 - chance)
                curve[i][k] -= chance * (1 - chance)
        inverse = invert(curve)
        steps = [sum(cell * rise for cell, rise in zip(row, slope)) for row in inverse]
        scale = max([1.0] + [abs(step) for step in steps])
        strength = [x + step / scale for x, step in zip(strength, steps)]
    unit = 400 / math.log(10)
    centre = [[(1.0 if i == k else 0.0) - 1 / size for k in range(size)] for i in range(size)]
    spread = multiply(multiply(centre, inverse), centre) if size else []
    mean = sum(strength) / size if size else 0
    out = [None] * (roster.count + len(roster.references))
    for team, place in at.items():
        out[team] = (unit * (strength[place] - mean), 1.96 * unit * math.sqrt(max(0.0, spread[place][place])))

    def stronger(a, b):
        i, k = at[a], at[b]
        variance = spread[i][i] + spread[k][k] - 2 * spread[i][k]
        return 0.5 * math.erfc((strength[k] - strength[i]) / math.sqrt(2 * variance))
    return out, stronger


def multiply(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def invert(matrix):
    size = len(matrix)
    rows = [list(row) + [1.0 if i == k else 0.0 for k in range(size)] for i, row in enumerate(matrix)]
    for i in range(size):
        rows[i] = [cell / rows[i][i] for cell in rows[i]]
        for k in range(size):
            if k != i:
                rows[k] = [cell - rows[k][i] * pivot for cell, pivot in zip(rows[k], rows[i])]
    return [row[size:] for row in rows]


# --- Grades ---

def qualifies(roster, games, team):
    proved, failed, walkovers = False, False, 0
    for game in games:
        if team not in game.teams:
            continue
        place = game.teams.index(team)
        faults = game.faults[place]
        turns = (game.plies + (1 - place)) // 2
        replaced = sum(kind in ("late", "invalid", "crashed") for kind in faults)
        replaced = 0 if roster.game in LATE_COUNTS else replaced
        if (game.is_by_fault() and not game.is_won(place)) or {"crashed", "malformed", "hostile"} & set(faults):
            failed = True
        elif game.is_by_fault() and game.plies < 2:
            walkovers += 1
        elif 10 * replaced > 9 * turns:
            failed = True
        else:
            proved = True
    return proved or (walkovers > 0 and not failed)


def grades(roster, games, trials, order):
    """By team: the score of the default policy."""
    good = [team for team in order if qualifies(roster, games + trials, team)]
    out = [0.0] * roster.count
    for place, team in enumerate(good):
        score = 60 + (40 * (len(good) - 1 - place) / (len(good) - 1) if len(good) > 1 else 40)
        kinds = set()
        for game in games:
            if team in game.teams:
                own = game.teams.index(team)
                kinds |= {"late" if kind == "late" else "error" for kind in game.faults[own]}
                if game.is_by_fault() and not game.is_won(own):
                    kinds.add("error")
        percent = 5 * len(kinds) + 10 * roster.days_late[team] + 10 * roster.has_wrong_name[team]
        out[team] = score * (1 - min(100, percent) / 100)
    return out
