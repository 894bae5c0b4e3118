// team: the page of one team: its games, opponents, faults and refused attempts. In the address, #team-7 is team 7, and #team-7/9
// its games against team 9.

const FAULTS_AT_ONCE = 20;
const GAMES_OF_A_FAULT = 20;

// What is shown now; the id is null in the overview.
const teamView = { id: null, against: undefined, games: [] };

function teamFacts(team) {
  const { rating } = team;
  const facts = [
    ["Place", team.reference ? "reference, not ranked" : team.disqualified === null ? `${team.place} of ${data.team_count}` : "–"],
    ["Points", team.figures ? minus(team.figures.points) : "–"],
    ["Won", team.won],
    ["Drawn", team.drawn],
    ["Lost", team.lost],
    ["Elo", rating ? `${signed(rating.elo)} ± ${rating.error}` : "–"],
    ["Faults", countFaults(team.faults)],
    ["Time a game", seconds(team.thinking_ms / (gamesOf(team) || 1))],
  ];
  return el("dl", { class: "facts" }, ...facts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, String(value)))));
}

// Sentences about its place that the figures do not show.
function teamNotes(team) {
  const notes = [];
  const { entered_after: rounds } = team;
  if (data.format === "swiss" ? rounds > 0 : rounds >= 0) notes.push(`The team entered ${data.format === "swiss" ? `after round ${rounds}` : "after the start"}.`);
  if (team.disqualified !== null) return [...notes, `The team is disqualified${team.disqualified ? `: ${team.disqualified}` : ""}. It has no place.`];
  if (team.reference || team.qualified) return notes;
  if (team.failed) {
    const { why } = data.qualification.find((entry) => entry.team === team.team);
    notes.push(`The program is not qualified, so it was not paired${why ? `: ${why}` : ""}.`);
  } else if (team.played) {
    notes.push(`The team is not qualified: it ${team.never_moved ? "never moved itself" : "has completed no game"}.`);
  }
  return notes;
}

function section(title, ...children) {
  return el("section", { "aria-label": title }, el("h3", {}, title), ...children);
}

// --- Games ---

function opponentsOf(team, games) {
  const found = new Map();
  const rowOf = (id) => data.standings.indexOf(teams.get(id));
  for (const game of games) {
    const counts = found.get(otherOf(game, team.team)) ?? { won: 0, drawn: 0, lost: 0 };
    if (game.status === "played") counts[resultFor(game, team.team)]++;
    found.set(otherOf(game, team.team), counts);
  }
  return [...found].map(([id, counts]) => ({ id, counts })).sort((a, b) => rowOf(a.id) - rowOf(b.id));
}

function gamesSection(team, games, opponents) {
  const option = (value, text) => el("option", { value }, text);
  const select = el("select", { id: "f-other" }, option("", "all"),
    ...opponents.map(({ id }) => option(id, `${headOf(teams.get(id))}  ${nameOf(id)}`)));
  const box = el("input", { type: "checkbox", id: "f-faults" });
  const form = el("form", { class: "filter", autocomplete: "off" }, el("label", {}, "Opponent ", select),
    el("label", { class: "check" }, box, " with faults only"));
  const place = el("div");
  const show = () => {
    teamView.games = games.filter((game) => (!select.value || otherOf(game, team.team) === select.value) && (!box.checked || faultsOf(game)));
    return showGames(place, "t-team-games", teamView.games);
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => {
    teamView.against = select.value || undefined;
    history.replaceState(null, "", teamAddress(team.team, teamView.against));
    show();
  });
  select.value = opponents.some(({ id }) => id === teamView.against) ? teamView.against : "";
  show();
  return section("Games", form, place);
}

function opponentsSection(team, opponents) {
  const row = ({ id, counts }) => {
    const games = sum(Object.values(counts));
    return el("tr", {}, cell(headOf(teams.get(id))), teamHead(id), cell(counts.won), cell(counts.drawn), cell(counts.lost),
      el("td", {}, el("a", { href: teamAddress(team.team, id), "aria-label": `${plural(games, "game")} against ${nameOf(id)}` }, plural(games, "game"))));
  };
  return section("Opponents", ...longTable("t-opponents", "Opponents",
    [column("#", "place"), teamColumn("Opponent"), column("Won"), column("Drawn"), column("Lost"), column("Games")], opponents, row));
}

// --- Faults ---

// Faults of games without a move are one entry for each reason: a program that never started has one in each of its games.
function groupFaults(faults, games) {
  const unstarted = new Set(games.filter((game) => !game.plies).map((game) => game.number));
  const groups = new Map();
  faults.forEach((fault, i) => {
    const key = unstarted.has(fault.game) ? `${fault.kind} ${fault.why}` : i;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(fault);
  });
  return [...groups.values()];
}

function faultGroupItem(group) {
  if (group.length === 1) return faultItem(group[0]);
  const links = group.slice(0, GAMES_OF_A_FAULT).flatMap(({ game }, i) => [i ? ", " : "", gameLink(game, `game ${game}`)]);
  const rest = group.length - GAMES_OF_A_FAULT;
  const why = group[0].why ? el("span", { class: "faint" }, ` (${group[0].why})`) : null;
  return el("li", {}, `before the first move of ${plural(group.length, "game")}: `, el("strong", {}, group[0].kind), why, ": ",
    ...links, rest > 0 ? ` and ${rest} more` : null);
}

// --- Attempts ---

function attemptsSection(violations) {
  const row = (found) => el("tr", {}, cell(found.kind, { class: "left" }), cell(found.what ?? "–", { class: "left" }), cell(found.count),
    cell(found.first_ms === null ? "–" : new Date(found.first_ms).toISOString().slice(0, 19).replace("T", " ")));
  return section("Refused attempts", ...longTable("t-team-attempts", "Refused attempts",
    [leftColumn("Kind"), leftColumn("It tried to"), column("How often"), column("First (UTC)")], violations, row));
}

// --- The page ---

function teamSections(team, part) {
  const games = part.games.filter((game) => game.result);
  const opponents = opponentsOf(team, games);
  const sections = [];
  if (part.byes.length) sections.push(el("p", {}, `Byes in these rounds: ${[...new Set(part.byes)].join(", ")}.`));
  if (games.length) sections.push(gamesSection(team, games, opponents), opponentsSection(team, opponents));
  else sections.push(el("p", {}, data.over || team.failed ? "No games." : "No games yet."));
  if (part.faults.length) {
    sections.push(section("Faults", ...longList(groupFaults(part.faults, games), FAULTS_AT_ONCE, faultGroupItem)));
  }
  if (part.violations.length) sections.push(attemptsSection(part.violations));
  return sections;
}

async function showTeam(id, against) {
  const team = teams.get(id);
  const title = el("h2", { id: "h-team", tabindex: "-1" }, team ? team.name : "Unknown team");
  teamView.id = id;
  teamView.against = against;
  teamView.games = [];
  $("team").replaceChildren(el("p", {}, el("a", { href: "#standings" }, "← All teams")), title);
  document.title = `${title.textContent} · ${data.name}`;
  title.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  if (!team) {
    $("team").append(el("p", {}, `There is no team ${id} in this report.`));
    return;
  }
  $("team").append(teamFacts(team), ...teamNotes(team).map((note) => el("p", {}, note)));
  const part = await loadPart(`team-${data.standings.indexOf(team) + 1}`);
  if (teamView.id === id && teamView.against === against) $("team").append(...teamSections(team, part));
}
