// tables: the head, standings, ratings, cross-table, rounds, games, faults, refused attempts and times.

const GAMES_AT_ONCE = 100;
const FAULTS_AT_ONCE = 20;
const FAULT_KINDS = ["late", "invalid", "crashed", "malformed", "hostile"];

function fill(id, head, rows) {
  $(id).replaceChildren(el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

const column = (text, title, attributes = {}) => el("th", { scope: "col", title, ...attributes }, text);
const teamColumn = () => column("Team", null, { class: "team" });
const cell = (text, attributes = {}) => el("td", attributes, typeof text === "number" ? String(text) : text);

function teamHead(team, place) {
  const tags = [];
  if (!place && !team.qualified && team.played && team.disqualified === null) {
    const title = "finished no game without a fault of its own";
    tags.push(el("span", { class: "tag", title }, "not qualified"));
  }
  if (!place && team.id_team !== null) {
    const title = team.id_team < 0 ? "its idTeam was never set" : "the number that its program sends is not its own";
    tags.push(el("span", { class: "tag", title }, `idTeam ${team.id_team}`.replace("-", "−")));
  }
  if (!place && team.disqualified !== null) {
    tags.push(el("span", { class: "tag" }, team.disqualified ? `disqualified: ${team.disqualified}` : "disqualified"));
  } else if (!place && team.withdrawn_after !== null) tags.push(el("span", { class: "tag calm" }, "withdrawn"));
  const number = place ? el("small", {}, `${team.place}  `) : null;
  return el("th", { scope: "row", class: "team", title: team.name }, number, team.name, ...tags);
}

// --- The head ---

const FORMATS = {
  "double-round-robin": "double round robin",
  swiss: "Swiss system",
  gauntlet: "gauntlet",
  knockout: "knockout",
};

function renderHead() {
  const days = [...new Set(played.filter((game) => game.ended_ms).map((game) => new Date(game.ended_ms).toISOString().slice(0, 10)))].sort();
  const when = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days[0];
  const plies = sum(played.map((game) => game.plies));
  const facts = [
    ["State", data.over ? "finished" : "in progress"],
    ["Teams", data.standings.length],
    ["Games", data.over ? played.length : `${played.length} of ${data.total_games}`],
    ["Rounds", data.rounds],
    ["Moves a game", played.length ? Math.round(plies / played.length) : "–"],
    ["Faults", data.faults.length],
    ["Winner", data.over ? data.standings[0].name : "–"],
  ];
  $("lead").textContent = [data.game, FORMATS[data.format], when].filter(Boolean).join(" · ");
  $("facts").replaceChildren(
    ...facts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, String(value)))));
}

// --- Standings ---

const FIGURES = [
  ["points", "Points", `${rules.points.win} for a win, ${rules.points.draw} for a draw${rules.points.loss ? `, ${rules.points.loss} for a loss` : ""}`],
  ["wins", "Won", "games won; byes are not among them"],
  ["differential", "Diff", "own scores minus opponents' scores"],
  ["buchholz", "Buchholz", "Buchholz cut-1: the opponents' points, without the least"],
  ["sonneborn-berger", "S-B", "Sonneborn-Berger: points made times the opponent's points"],
  ["direct", "Direct", "points against those that are equal so far, if all of them met"],
  ["lot", "Lot", "drawn from the tournament's seed"],
];

function figureCell(team, key) {
  const value = team.figures[key];
  const text = value === null ? "–" : key === "differential" ? signed(value) : String(value);
  if (key === "points") return cell(text, { class: "strong" });
  if (team.decided_by !== key || team.place === 1) return cell(text);
  return cell(text, { class: "decides", title: `put it below ${data.standings[team.place - 2].name}` });
}

function renderStandings() {
  const heads = FIGURES.map(([, name, title]) => column(name, title));
  const hasByes = data.standings.some((team) => team.byes);
  const rows = data.standings.map((team) => {
    const figures = FIGURES.map(([key]) => figureCell(team, key));
    const { rating } = team;
    return el("tr", {}, cell(team.disqualified === null ? team.place : "–", { class: "strong" }), teamHead(team),
      ...figures.slice(0, 2), cell(team.drawn), cell(team.lost), ...(hasByes ? [cell(team.byes)] : []), ...figures.slice(2),
      cell(rating ? `${signed(rating.elo)} ± ${rating.error}` : "–"),
      cell(countFaults(team.faults) || "–"));
  });
  fill("t-standings", [column("#", "place"), teamColumn(), ...heads.slice(0, 2), column("Drawn"), column("Lost"),
    ...(hasByes ? [column("Byes", "games of byes")] : []), ...heads.slice(2), column("Elo", "rating"), column("Faults")], rows);
  const hints = [];
  const order = [...rules.tiebreaks, "lot"].map((key) => FIGURES.find(([name]) => name === key)[1]).join(", ");
  if (data.standings.some((team) => team.decided_by && team.decided_by !== "points")) {
    hints.push(`Teams with equal points are ordered by ${rules.areOwn ? `${order}, in this order` : "the columns from left to right"}; the marked figure decided.`);
  }
  if (hasByes) {
    const worth = rules.areOwn ? `${plural(rules.points.bye, "point")} a game` : "the points of a win";
    hints.push(`A bye gives ${worth}, against a team with the same points; it is not a game won.`);
  }
  $("standings-hint").textContent = hints.join(" ");
}

// --- Rating ---

function ratingTitle(team) {
  const { elo, error, stronger_than_next: share } = team.rating;
  const range = `${team.name}: Elo ${signed(elo)}, between ${signed(elo - error)} and ${signed(elo + error)}`;
  if (share === null) return range;
  return `${range}; stronger than the next in the standings with a probability of ${(100 * share).toFixed(1)} %`;
}

function ratingRow(team, at) {
  const { elo, error } = team.rating;
  const title = ratingTitle(team);
  const bar = el("span", { class: "bar" });
  const dot = el("span", { class: "dot" });
  const track = el("div", { class: "track", role: "img", "aria-label": title, title }, bar, dot);
  bar.style.left = `${at(elo - error)}%`;
  bar.style.width = `${at(elo + error) - at(elo - error)}%`;
  dot.style.left = `${at(elo)}%`;
  track.style.setProperty("--zero", `${at(0)}%`);
  return [el("div", { class: "who", title: team.name }, team.name), track,
    el("div", { class: "num" }, `${signed(elo)} ± ${error}`)];
}

function ratingAxis(low, high, at) {
  const step = [25, 50, 100, 200, 250, 500, 1000, 2000].find((size) => (high - low) / size <= 5) ?? 5000;
  const axis = el("div", { class: "axis", "aria-hidden": "true" });
  for (let elo = Math.ceil(low / step) * step; elo <= high; elo += step) {
    const tick = el("span", {}, signed(elo));
    tick.style.left = `${at(elo)}%`;
    axis.append(tick);
  }
  return axis;
}

function renderRating() {
  const rated = data.standings.filter((team) => team.rating).sort((a, b) => b.rating.elo - a.rating.elo);
  if (!rated.length) {
    $("p-rating").replaceChildren(el("p", {}, "No games yet."));
    return;
  }
  const low = Math.min(...rated.map(({ rating }) => rating.elo - rating.error));
  const high = Math.max(...rated.map(({ rating }) => rating.elo + rating.error));
  const at = (elo) => (100 * (elo - low)) / (high - low || 1);
  $("p-rating").replaceChildren(el("div", { class: "elo" }, ...rated.flatMap((team) => ratingRow(team, at)),
    el("div"), ratingAxis(low, high, at), el("div")));
}

// --- Cross-table and rounds ---

// What the games were for a team, all together: "win", "draw" or "loss".
function kindOf(games, team) {
  const worth = { win: 1, draw: 0, loss: -1, none: -1 };
  const balance = sum(games.map((game) => worth[outcomeOf(game, team)]));
  return balance > 0 ? "win" : balance < 0 ? "loss" : "draw";
}

// A link to the games of two teams.
function pairLink(a, b, text, points, games) {
  const title = `${text}: ${nameOf(a)} against ${nameOf(b)}, ${plural(points, "point")} in ${plural(games, "game")}`;
  const link = el("a", { href: "#games", "aria-label": title }, text);
  link.addEventListener("click", () => chooseGames(a, b));
  return link;
}

function renderCross() {
  const met = new Map();
  const add = (game, own, other) => {
    const key = `${own}\n${other}`;
    met.set(key, [...(met.get(key) ?? []), game]);
  };
  for (const game of played) {
    add(game, game.black, game.white);
    add(game, game.white, game.black);
  }
  const meetingCell = (a, b) => {
    if (a === b) return el("td", { class: "self" });
    const found = met.get(`${a.team}\n${b.team}`);
    if (!found) return el("td");
    const points = sum(found.map((game) => pointsOf(game, a.team)));
    return cell(pairLink(a.team, b.team, String(points), points, found.length), { class: kindOf(found, a.team) });
  };
  fill("t-cross", [teamColumn(), ...data.standings.map((team) => column(String(team.place), team.name))],
    data.standings.map((a) => el("tr", {}, teamHead(a, true), ...data.standings.map((b) => meetingCell(a, b)))));
}

function roundCell(team, round) {
  const games = played.filter((game) => game.round === round && (game.black === team.team || game.white === team.team));
  if (!games.length) {
    const hasBye = data.byes.some((bye) => bye.round === round && bye.team === team.team);
    return hasBye ? cell("bye", { class: "win" }) : cell("·", { class: "faint" });
  }
  const other = games[0].black === team.team ? games[0].white : games[0].black;
  const points = sum(games.map((game) => pointsOf(game, team.team)));
  return cell(pairLink(team.team, other, `${points} v ${teams.get(other).place}`, points, games.length),
    { class: kindOf(games, team.team), title: `against ${nameOf(other)}` });
}

function renderRounds() {
  if (data.format !== "swiss" && data.format !== "knockout") return;
  const last = Math.max(0, ...data.games.map((game) => game.round), ...data.byes.map((bye) => bye.round));
  const rounds = Array.from({ length: last }, (_, index) => index + 1);
  $("rounds").hidden = false;
  document.querySelector('nav a[href="#rounds"]').hidden = false;
  fill("t-rounds", [teamColumn(), ...rounds.map((round) => column(`Round ${round}`))],
    data.standings.map((team) => el("tr", {}, teamHead(team, true), ...rounds.map((round) => roundCell(team, round)))));
}

// --- Games ---

let gamesShown = GAMES_AT_ONCE;

function chosenGames() {
  const round = $("f-round").value;
  const has = (game, id) => !id || game.black === id || game.white === id;
  return data.games.filter((game) => game.result && has(game, $("f-team").value) && has(game, $("f-other").value) &&
    (!round || String(game.round) === round) && (!$("f-faults").checked || faultsOf(game)));
}

function gameRow(game) {
  const winner = { "1-0": game.black, "0-1": game.white }[game.result];
  const who = (id) => cell(nameOf(id), { class: `left who${id === winner ? " strong" : ""}`, title: nameOf(id) });
  const annulled = game.status === "annulled" ? el("span", { class: "tag calm" }, "annulled") : null;
  const forfeit = game.forfeit ? el("span", { class: "tag" }, "by fault") : null;
  return el("tr", {},
    cell(gameLink(game.number, String(game.number))), cell(gameLink(game.number, resultWord(game))),
    who(game.black), who(game.white), cell(scoreWord(game)),
    el("td", { class: "left" }, game.reason, annulled, forfeit),
    cell(game.round), cell(game.plies), ...game.thinking_ms.map((ms) => cell(seconds(ms))),
    cell(faultsOf(game) || "–"));
}

function renderGames() {
  const games = chosenGames();
  const side = (letter, name) => el("th", { scope: "col", class: "left" }, pawn(letter), ` ${name}`);
  const cut = games.length > gamesShown ? `, the first ${gamesShown} shown` : "";
  fill("t-games", [column("Game"), column("Result"), side("b", "Black"), side("w", "White"), column("Score"),
    column("Reason", null, { class: "left" }), column("Round"), column("Moves"), column("Black's time"),
    column("White's time"), column("Faults")], games.slice(0, gamesShown).map(gameRow));
  $("games-count").textContent = `${plural(games.length, "game")}${cut}. Choose one to replay it.`;
  $("games-more").hidden = !cut;
}

function chooseGames(team, other) {
  $("f-team").value = team;
  $("f-other").value = other;
  $("f-round").value = "";
  $("f-faults").checked = false;
  gamesShown = GAMES_AT_ONCE;
  renderGames();
}

function setUpGames() {
  const options = (id, list) => $(id).replaceChildren(el("option", { value: "" }, "all"),
    ...list.map(([value, text]) => el("option", { value }, String(text))));
  const names = data.standings.map((team) => [team.team, team.name])
    .sort((a, b) => a[1].localeCompare(b[1], undefined, { numeric: true }));
  const rounds = [...new Set(data.games.map((game) => game.round))].sort((a, b) => a - b);
  options("f-team", names);
  options("f-other", names);
  options("f-round", rounds.map((round) => [round, round]));
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  $("filter").addEventListener("change", () => {
    gamesShown = GAMES_AT_ONCE;
    renderGames();
  });
  $("games-more").addEventListener("click", () => {
    gamesShown += GAMES_AT_ONCE;
    renderGames();
  });
  renderGames();
}

// --- Faults and times ---

function faultItem(fault) {
  const after = fault.time_ms === null ? "" : ` after ${seconds(fault.time_ms)}`;
  const why = fault.why ? el("span", { class: "faint" }, ` (${fault.why})`) : null;
  return el("li", {}, gameLink(fault.game, `game ${fault.game}, move ${fault.ply}`, fault.ply),
    `: ${nameOf(fault.team)}, `, el("strong", {}, fault.kind), after, why);
}

function renderFaults() {
  if (!data.faults.length) {
    $("p-faults").replaceChildren(el("p", {}, "None: every program answered in time and by the rules."));
    return;
  }
  const kinds = FAULT_KINDS.filter((kind) => data.standings.some((team) => team.faults[kind]));
  const guilty = data.standings.filter((team) => countFaults(team.faults));
  const items = data.faults.map(faultItem);
  const parts = [
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Faults by team" },
      el("table", { id: "t-faults" })),
    el("ul", { class: "list" }, ...items.slice(0, FAULTS_AT_ONCE)),
  ];
  if (items.length > FAULTS_AT_ONCE) {
    const rest = items.slice(FAULTS_AT_ONCE);
    parts.push(el("details", {}, el("summary", {}, `${rest.length} more`), el("ul", { class: "list" }, ...rest)));
  }
  $("p-faults").replaceChildren(...parts);
  fill("t-faults", [teamColumn(), ...kinds.map((kind) => column(kind))],
    guilty.map((team) => el("tr", {}, teamHead(team), ...kinds.map((kind) => cell(team.faults[kind] || "–")))));
}

function renderAttempts() {
  if (!data.violations.length) return;
  $("attempts").hidden = false;
  document.querySelector('nav a[href="#attempts"]').hidden = false;
  const rows = data.violations.map((attempt) => el("tr", {},
    el("th", { scope: "row", class: "team" }, nameOf(attempt.team)), cell(attempt.kind, { class: "left" }),
    cell(attempt.what ?? "–", { class: "left" }), cell(attempt.count),
    cell(new Date(attempt.first_ms).toISOString().slice(0, 19).replace("T", " "))));
  fill("t-attempts", [teamColumn(), column("Kind", null, { class: "left" }), column("It tried to", null, { class: "left" }),
    column("How often"), column("First (UTC)")], rows);
}

function renderTimes() {
  const each = (team) => team.thinking_ms / (team.played || 1);
  const most = Math.max(1, ...data.standings.map(each));
  const rows = data.standings.map((team) => {
    const bar = el("i");
    bar.style.width = `${(100 * each(team)) / most}%`;
    const where = team.slowest_game;
    return el("tr", {}, teamHead(team), cell(team.played), cell(seconds(team.thinking_ms)), cell(seconds(each(team))),
      el("td", { class: "left" }, el("span", { class: "meter", "aria-hidden": "true" }, bar)),
      cell(seconds(team.slowest_ms)), cell(where === null ? "–" : gameLink(where, `game ${where}`)));
  });
  fill("t-times", [teamColumn(), column("Games"), column("In all"), column("A game"), el("td"),
    column("Slowest move"), column("Where")], rows);
}

renderHead();
renderStandings();
renderRating();
renderCross();
renderRounds();
setUpGames();
renderFaults();
renderAttempts();
renderTimes();
