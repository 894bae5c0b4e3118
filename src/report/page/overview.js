// overview: the head, ratings, cross-table, rounds, games, faults, refused attempts, the qualification and times. The standings are in the page
// already (src/report/report_standings.c).

const FAULT_KINDS = ["late", "invalid", "crashed", "malformed", "hostile"];

// Sections that not every tournament has.
function reveal(id) {
  $(id).hidden = false;
  document.querySelector(`nav a[href="#${id}"]`).hidden = false;
}

// --- The head ---

const FORMATS = {
  "double-round-robin": "double round robin",
  swiss: "Swiss system",
  gauntlet: "gauntlet",
  knockout: "knockout",
};

function renderHead() {
  const [from, to] = [data.first_ms, data.last_ms].map((ms) => (ms === null ? "" : new Date(ms).toISOString().slice(0, 10)));
  const played = data.played_games;
  const facts = [
    ["State", data.over ? "finished" : "in progress"],
    ["Teams", data.team_count],
    ...(data.references ? [["References", data.references.length]] : []),
    ["Games", data.over ? played : `${played} of ${data.total_games}`],
    ["Rounds", data.rounds],
    ["Moves a game", played ? Math.round(data.plies / played) : "–"],
    ["Faults", data.fault_count],
    ["Winner", data.over ? data.standings[0].name : "–"],
  ];
  $("lead").textContent = [data.game, FORMATS[data.format], from === to ? from : `${from} to ${to}`].filter(Boolean).join(" · ");
  $("facts").replaceChildren(
    ...facts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, String(value)))));
}

// --- Rating ---

function ratingTitle(team) {
  const { elo, error, stronger_than_next: share } = team.rating;
  const range = `${team.name}: Elo ${signed(elo)}, between ${signed(elo - error)} and ${signed(elo + error)}`;
  if (share === null) return range;
  return `${range}; stronger than the next in the standings with a probability of ${(100 * share).toFixed(1)} %`;
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
  const rows = el("div", { class: "elo" });
  const end = [el("div"), ratingAxis(low, high, at), el("div")];
  rows.append(...end);
  const more = moreButton(rated.length, ROWS_AT_ONCE,
    (from, to) => end[0].before(...rated.slice(from, to).flatMap((team) => ratingRow(team, at))));
  $("p-rating").replaceChildren(rows, more);
}

// --- Cross-table and rounds ---

// Equal without points: both lost, unless a draw gives none.
const isLost = (own) => own === 0 && (data.points?.draw ?? 1) > 0;
const kindOf = (own, others) => (own > others ? "win" : own < others || isLost(own) ? "loss" : "draw");

// A link to the games of two teams.
function pairLink(a, b, text, own, others) {
  const title = `${text}: ${a.name} against ${b.name}, ${minus(own)} to ${minus(others)} points`;
  return el("a", { href: teamAddress(a.team, b.team), "aria-label": title }, text);
}

function crossCell(team, pair, place) {
  const other = data.standings[place];
  if (team === other) return el("td", { class: "self" });
  return pair ? cell(pairLink(team, other, minus(pair[0]), ...pair), { class: kindOf(...pair) }) : el("td");
}

function roundCell(team, found) {
  if (!found) return cell("·", { class: "faint" });
  if (!found.length) return cell("bye", { class: "win" });
  const [place, ...points] = found;
  const other = data.standings[place - 1];
  return cell(pairLink(team, other, `${minus(points[0])} v ${headOf(other)}`, ...points),
    { class: kindOf(...points), title: `against ${other.name}` });
}

// "1–25", "26–50", …; nothing where one of them is all.
function rangeSelect(label, count, onChange) {
  const size = data.rows_per_part;
  const ranges = Array.from({ length: Math.ceil(count / size) }, (_, i) => `${i * size + 1}–${Math.min(count, (i + 1) * size)}`);
  const select = el("select", {}, ...ranges.map((range, i) => el("option", { value: i }, range)));
  select.addEventListener("change", onChange);
  return [select, ranges.length > 1 ? el("label", {}, `${label} `, select) : null];
}

// A table with a row for each team. It is as wide and as long as the tournament is large, so a piece of it is drawn at a time.
function setUpGrid({ place, id, key, count, label, columnsLabel, heads, cellOf }) {
  const size = data.rows_per_part;
  const wanted = { number: 0 };
  const draw = async () => {
    const number = ++wanted.number;
    const rows = Number(rowSelect.value);
    const from = Number(columnSelect.value) * size;
    const part = await loadPart(`cross-${rows + 1}`);
    if (number !== wanted.number) return;
    const rowOf = (values, i) => {
      const team = data.standings[rows * size + i];
      const head = el("th", { scope: "row", class: "team", title: team.name }, el("small", {}, `${headOf(team)}  `), teamLink(team.team));
      return el("tr", {}, head, ...values.slice(from, from + size).map((value, k) => cellOf(team, value, from + k)));
    };
    grid.replaceChildren(table({ id, class: "cross" }, [teamColumn(), ...heads.slice(from, from + size).map(([text, title]) => column(text, title))],
      part[key].map(rowOf)));
  };
  const [rowSelect, rowLabel] = rangeSelect("Places", count, () => attempt(draw));
  const [columnSelect, columnLabel] = rangeSelect(columnsLabel, heads.length, () => attempt(draw));
  const grid = frame(label);
  const labels = [rowLabel, columnLabel].filter(Boolean);
  const form = labels.length ? el("form", { class: "filter", autocomplete: "off" }, ...labels) : null;
  form?.addEventListener("submit", (event) => event.preventDefault());
  $(place).replaceChildren(...[form, grid].filter(Boolean));
  return attempt(draw);
}

function renderCross() {
  return setUpGrid({ place: "p-cross", id: "t-cross", key: "cross", count: data.standings.length, label: "Cross-table", columnsLabel: "against", cellOf: crossCell,
    heads: data.standings.map((team) => [headOf(team), team.name]) });
}

async function renderRounds() {
  if (data.format !== "swiss" && data.format !== "knockout") return;
  const last = Math.max(0, ...(await loadPart("cross-1")).rounds.map((row) => row.length));
  if (!last) return;
  reveal("rounds");
  await setUpGrid({ place: "p-rounds", id: "t-rounds", key: "rounds", count: data.team_count, label: "Rounds", columnsLabel: "rounds", cellOf: roundCell,
    heads: Array.from({ length: last }, (_, i) => [`Round ${i + 1}`]) });
}

// --- Games ---

function setUpGames() {
  const rounds = new Map();
  for (const [round, first, last] of data.round_games) {
    const [from, to] = rounds.get(round) ?? [first, last];
    rounds.set(round, [Math.min(from, first), Math.max(to, last)]);
  }
  const option = (value, text) => el("option", { value }, String(text));
  $("f-round").replaceChildren(option("", "all"), ...[...rounds.keys()].sort((a, b) => a - b).map((round) => option(round, round)));
  async function* chosen() {
    const round = Number($("f-round").value);
    const range = round ? rounds.get(round) : [1, data.game_count];
    for await (const game of gamesBetween(...range)) if (!round || game.round === round) yield game;
  }
  const show = () => attempt(() => showGames($("p-games"), "t-games", chosen()));
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  $("filter").addEventListener("change", show);
  return data.game_count ? show() : $("p-games").replaceChildren(el("p", {}, "No games yet."));
}

// --- Faults, attempts and times ---

function faultItem(fault) {
  const after = fault.time_ms === null ? "" : ` after ${seconds(fault.time_ms)}`;
  const why = fault.why ? el("span", { class: "faint" }, ` (${fault.why})`) : null;
  return el("li", {}, gameLink(fault.game, `game ${fault.game}, move ${fault.ply}`, fault.ply),
    ": ", teamLink(fault.team), ", ", el("strong", {}, fault.kind), after, why);
}

function countTable(id, label, kinds, rows) {
  return longTable(id, label, [teamColumn(), ...kinds.map((kind) => column(kind))], rows,
    ({ team, counts }) => el("tr", {}, teamHead(team), ...kinds.map((kind) => cell(counts[kind] || "–"))));
}

function renderFaults() {
  if (!data.fault_count) {
    const before = data.qualification.some(({ failed, games }) => failed || games.some(faultsOf));
    $("p-faults").replaceChildren(el("p", {}, before ? "None in the games of the tournament. Programs that failed before it are under Qualification."
      : "None: every program answered in time and by the rules."));
    return;
  }
  const guilty = data.standings.filter((team) => countFaults(team.faults)).map(({ team, faults }) => ({ team, counts: faults }));
  const kinds = FAULT_KINDS.filter((kind) => guilty.some(({ counts }) => counts[kind]));
  const rest = data.fault_count - data.faults.length;
  $("p-faults").replaceChildren(...countTable("t-faults", "Faults by team", kinds, guilty),
    el("ul", { class: "list" }, ...data.faults.map(faultItem)),
    rest ? el("p", { class: "hint" }, `${rest} more: the page of a team lists its own, and faults.csv lists all.`) : "");
}

function renderAttempts() {
  const rows = data.attempts.map((counts, place) => ({ team: data.standings[place].team, counts }))
    .filter(({ counts }) => Object.keys(counts).length);
  if (!rows.length) return;
  reveal("attempts");
  const kinds = [...new Set(rows.flatMap(({ counts }) => Object.keys(counts)))];
  $("p-attempts").replaceChildren(...countTable("t-attempts", "Refused attempts by team", kinds, rows));
}

function renderQualification() {
  if (!data.qualification.length) return;
  reveal("qualification");
  const resultIn = (game, team) => (game.result === "1/2-1/2" ? "drawn" : game.result === (game.black === team ? "1-0" : "0-1") ? "won" : "lost");
  const shown = (game, team) => (game === undefined ? "–" : `${resultIn(game, team)}${judgedWords(game, team)}`);
  const row = ({ team, games, qualified, failed, why }) => el("tr", {}, teamHead(team),
    ...[shown(games[0], team), shown(games[1], team), qualified ? "yes" : failed ? "no" : "–", why ?? ""]
      .map((text) => cell(text, { class: "left" })));
  $("p-qualification").replaceChildren(...longTable("t-qualification", "Qualification",
    [teamColumn(), ...["First game", "Second game", "Qualified", "Why not"].map(leftColumn)], data.qualification, row));
}

function renderTimes() {
  const each = (team) => team.thinking_ms / (gamesOf(team) || 1);
  const most = Math.max(1, ...data.standings.map(each));
  const row = (team) => {
    const bar = el("i");
    bar.style.width = `${(100 * each(team)) / most}%`;
    const where = team.slowest_game;
    return el("tr", {}, teamHead(team.team), cell(gamesOf(team)), cell(seconds(team.thinking_ms)), cell(seconds(each(team))),
      el("td", { class: "left" }, el("span", { class: "meter", "aria-hidden": "true" }, bar)),
      cell(seconds(team.slowest_ms)), cell(where === null ? "–" : gameLink(where, `game ${where}`)));
  };
  $("p-times").replaceChildren(...longTable("t-times", "Times", [teamColumn(), column("Games"), column("In all"), column("A game"), el("td"),
    column("Slowest move"), column("Where")], data.standings, row));
}

renderHead();
renderRating();
renderCross();
attempt(renderRounds);
setUpGames();
renderFaults();
renderAttempts();
renderQualification();
renderTimes();
