// page: the data of the report, and functions that all its parts use.
//
// The page has two blocks of JSON: the tournament with its standings, and how its board is drawn. Teams, games and rows of the
// cross-table are loaded on demand, as scripts (src/report/report_parts.h): a page that was opened from a folder may not read
// files. Text is always set as text, so nothing that a team chose can become markup. page.js, tables.js, overview.js, team.js,
// replay.js and route.js are one script, in this order.

const $ = (id) => document.getElementById(id);
const [data, board] = ["data", "board"].map((id) => JSON.parse($(id).textContent));
const teams = new Map(data.standings.map((row) => [row.team, row]));
// Names that several teams have, with the id: "Ada (7)". The standings in the page have them so already.
const sharedNames = new Set(data.standings.map(({ name }) => name).filter((name, i, all) => all.indexOf(name) !== i));
for (const row of data.standings) if (sharedNames.has(row.name)) row.name = `${row.name} (${row.team})`;

// Attributes that are null, undefined or false are left out.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function svg(tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

// --- Parts ---

const parts = new Map();
const receivers = new Map();
globalThis.plumReport = (name, value) => {
  receivers.get(name)?.(value);
  receivers.delete(name);
};

function loadPart(name) {
  const source = `${data.folder}/${name}.js`;
  if (!parts.has(name)) {
    parts.set(name, new Promise((resolve, reject) => {
      const script = el("script", { src: source });
      const fail = (what) => {
        parts.delete(name);
        reject(new Error(`${source} ${what}. Copy the folder of the report as a whole, or load this page again.`));
      };
      receivers.set(name, resolve);
      script.addEventListener("load", () => {
        script.remove();
        if (receivers.delete(name)) fail("is damaged"); // its script did not call plumReport
      });
      script.addEventListener("error", () => {
        script.remove();
        fail("cannot be loaded");
      });
      document.head.append(script);
    }));
  }
  return parts.get(name);
}

const gamePart = (number) => Math.floor((number - 1) / data.games_per_part) + 1;

async function loadGame(number) {
  if (number < 1 || number > data.game_count) throw new Error(`Game ${number} is not in this report.`);
  const games = await loadPart(`games-${gamePart(number)}`);
  return games[(number - 1) % data.games_per_part];
}

// The games with a result from one number to another.
async function* gamesBetween(first, last) {
  for (let part = gamePart(first); part <= gamePart(last); part++) {
    for (const game of await loadPart(`games-${part}`)) {
      if (game.result && game.number >= first && game.number <= last) yield game;
    }
  }
}

function warn(message) {
  $("alert").textContent = message;
  $("alert").hidden = !message;
}

// Runs what may need a part that is missing.
const attempt = (action) => action().catch((error) => warn(error.message));

// --- Words ---

const sum = (list) => list.reduce((a, b) => a + b, 0);
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const minus = (number) => String(number).replace("-", "−");
const signed = (number) => (number > 0 ? `+${number}` : minus(number));

function seconds(ms) {
  const digits = ms < 10000 ? 2 : ms < 100000 ? 1 : 0;
  return `${(ms / 1000).toFixed(digits)} s`;
}

// A place, R1 for the first reference, or – for a disqualified team. Games of a team against references are not among those played.
const headOf = (team) => (team.reference ? `R${data.standings.indexOf(team) + 1 - data.team_count}` : String(team.place ?? "–"));
const gamesOf = (team) => team.played + (team.reference_games ?? 0);

const nameOf = (id) => teams.get(id).name;
const countFaults = (faults) => sum(Object.values(faults));
const faultsOf = (game) => sum((game.faults ?? []).map(countFaults));
const resultWord = (game) => (game.result === "1/2-1/2" ? "½–½" : game.result.replace("-", "–"));
const scoreWord = (game) => game.score.map(minus).join(" : ");
// Why a game ended: "Black did not start".
function endingWord({ result, reason }) {
  const loser = { "1-0": "White", "0-1": "Black" }[result];
  const phrase = (loser ? undefined : data.losses[`both-${reason}`]) ?? data.endings[reason] ?? data.losses[reason] ?? reason;
  return phrase.replace("{loser}", loser ?? "one side");
}

const otherOf = (game, id) => (game.black === id ? game.white : game.black);

// "won", "drawn" or "lost"; a game may be lost by both.
function resultFor(game, id) {
  if (game.result === "1/2-1/2") return "drawn";
  return game.result === (game.black === id ? "1-0" : "0-1") ? "won" : "lost";
}

const teamAddress = (id, against) => `#team-${[id, against].filter((word) => word !== undefined).map(encodeURIComponent).join("/")}`;
const teamLink = (id) => el("a", { href: teamAddress(id) }, nameOf(id));
const pawn = (side) => el("span", { class: `pawn ${side}`, "aria-hidden": "true" });
const gameLink = (number, text, ply) => el("a", { href: `#game-${number}${ply ? `-${ply}` : ""}` }, text);
