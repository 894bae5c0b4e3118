// tables: standings, cross-table and games of a tournament.
import {h, tableOf} from './dom.js';
import {OUTCOME_OF, causeText} from './ending.js';
import {gameOf} from './games.js';

export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : '0');

// Scores may be negative: 4 : −4.
const scorePair = (scores) => scores.map((score) => String(score).replace('-', '−')).join(' : ');

// "5 : 3", or where the score of a game is a difference "by 12".
export function scoreOf(game, [black, white]) {
  const isDifference = gameOf(game).score === 'difference' && black === -white && black;
  return isDifference ? `by ${Math.abs(black)}` : scorePair([black, white]);
}

function teamLink(tournament, team) {
  const name = tournament.names.get(team);
  return h('a', {href: `#/watch/${tournament.id}/team/${encodeURIComponent(team)}`, title: name}, name);
}

// "28 of 30, 1 annulled".
export const gameCount = ({played_games: played, annulled_games: annulled, cancelled_games: cancelled, total_games: total}, what = '') =>
  `${played} of ${total}${what}${annulled ? `, ${annulled} annulled` : ''}${cancelled ? `, ${cancelled} cancelled` : ''}`;

// "withdrawn after round 2", "disqualified: attacked the judge", "not qualified", "reference opponent, not ranked", or ''.
export function withdrawal({withdrawn_after: rounds, disqualified, failed, reference}) {
  if (reference) return 'reference opponent, not ranked';
  if (typeof disqualified === 'string') return disqualified ? `disqualified: ${disqualified}` : 'disqualified';
  if (failed) return 'not qualified';
  if (rounds === null) return '';
  return rounds ? `withdrawn after round ${rounds}` : 'withdrawn before round 1';
}

const isRanked = ({disqualified, reference}) => typeof disqualified !== 'string' && !reference;

// --- Standings. ---

const FIGURE_NAMES = {wins: 'games won', differential: 'score', buchholz: 'Buchholz', 'sonneborn-berger': 'Sonneborn-Berger', direct: 'direct encounter'};

// The rules of the ranking, where the roster has its own.
function rulesWords({points, tiebreaks}) {
  if (!points) return '';
  return `${points.win} points a win, ${points.draw} a draw, ${points.loss} a loss, ${points.bye} a game of a bye. With equal points: ${[...tiebreaks.map((figure) => FIGURE_NAMES[figure]), 'lot'].join(', ')}.`;
}

const TIE_BREAKS = {buchholz: 'Buchholz', 'sonneborn-berger': 'Sonneborn-Berger', direct: 'direct encounter'};
const NAMED = 3; // teams in a list that can be long

// "A", "A and B", "A, B, C and 4 others".
function listWords(names) {
  const [listed, rest] = names.length > NAMED + 1 ? [names.slice(0, NAMED), names.length - NAMED] : [names, 0];
  const parts = rest ? [...listed, `${rest} others`] : listed;
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0];
}

// The teams that only a lot separates from this one.
function levelWith({standings: rows, names}, at) {
  let [first, last] = [at, at];
  while (rows[first].decided_by === 'lot') first--;
  while (rows[last + 1]?.decided_by === 'lot') last++;
  return rows.slice(first, last + 1).filter((row) => row !== rows[at]).map(({team}) => names.get(team));
}

// What decided between a team and its neighbours with equal points, games won and score: "Buchholz 48", "level with A, decided by lot".
// A lot decides only in the end.
export function tieBreaks(tournament, at) {
  const {standings: rows, played_games: played, over} = tournament;
  if (!played) return [];
  const deciding = [rows[at], rows[at + 1]].map((row) => row?.decided_by);
  const figures = Object.keys(TIE_BREAKS).filter((figure) => deciding.includes(figure)).map((figure) => `${TIE_BREAKS[figure]} ${rows[at].figures[figure]}`);
  return over && deciding.includes('lot') ? [...figures, `level with ${listWords(levelWith(tournament, at))}, decided by lot`] : figures;
}

const detail = (tag, content) => h(tag, {class: 'detail', scope: tag === 'th' ? 'col' : null}, content);

// Byes and tie-breaks are shown where there are any. The big screen leaves the details out.
export function standings(tournament) {
  const rows = tournament.standings;
  const ties = rows.map((row, at) => tieBreaks(tournament, at).join(', '));
  const notes = rows.map((row, at) => [ties[at], withdrawal(row)].filter(Boolean).join(', '));
  const hasByes = rows.some(({byes}) => byes);
  const heads = ['Won', 'Drawn', 'Lost', ...(hasByes ? ['Byes'] : [])].map((head) => detail('th', head));
  const rules = rulesWords(tournament);
  const hasFigures = ties.some((tie) => tie && !tie.startsWith('level'));
  const hints = [rules, hasByes && (rules ? 'A bye is not a game won.' : 'A bye gives the points of a win; it is not a game won.'),
    hasFigures && (rules ? 'The figure below a name decided its place.' : 'Where points, games won and score are equal, the figure below the name decides.')];
  return [tableOf(['#', 'Team', 'Points', ...heads, 'Score'], rows.map((row, at) => h('tr', {},
    h('td', {class: 'place'}, isRanked(row) ? String(row.place) : '–'), h('th', {scope: 'row'}, teamLink(tournament, row.team), notes[at] ? h('span', {class: 'tie soft'}, notes[at]) : null), h('td', {}, h('b', {}, row.figures ? String(row.figures.points) : '–')),
    [row.won, row.drawn, row.lost, ...(hasByes ? [row.byes] : [])].map((cell) => detail('td', String(cell))),
    h('td', {}, signed(row.scored - row.conceded)))), 'Standings'),
  hints.some(Boolean) ? h('p', {class: 'detail soft small'}, hints.filter(Boolean).join(' ')) : null];
}

// "14 points, 7 won, score +4, Buchholz 48": as many of the figures as decided the place.
function standingWords(tournament, at) {
  const {won, figures, decided_by: above} = tournament.standings[at];
  const below = tournament.standings[at + 1]?.decided_by;
  const isTied = [above, below].some((figure) => figure && figure !== 'points');
  return [`${figures.points} points`, ...(isTied ? [`${won} won`, `score ${signed(figures.differential)}`] : []), ...tieBreaks(tournament, at)].join(', ');
}

// The first three places. Two teams never have the same place.
export function podium(tournament) {
  const steps = tournament.standings.filter(isRanked).slice(0, 3);
  return h('section', {class: 'podium', 'aria-label': 'The first places'}, h('h2', {}, 'The winner'),
    h('ol', {}, steps.map(({place, team}, at) => h('li', {class: `step-${place}`}, h('span', {class: 'step-place'}, `${place}.`),
      h('b', {}, teamLink(tournament, team)), h('span', {class: 'soft'}, standingWords(tournament, at))))));
}

// How many moves of its sides the judge played: "; the judge played 30 of Black's 30 moves", "; the judge skipped 200 of White's 200 turns".
export const judgedWords = ({judge_moves: sides = []}) => sides.map((judged, at) => {
  const whose = at ? "White's" : "Black's";
  if (!judged) return '';
  return judged.skipped ? `; the judge skipped ${judged.skipped} of ${whose} ${judged.of} turns` : `; the judge played ${judged.played} of ${whose} ${judged.of} moves`;
}).join('');

const endingOf = (game, one) => `${causeText(game, {outcome: OUTCOME_OF[one.result], reason: one.reason})}${judgedWords(one)}${one.status === 'annulled' ? ', annulled' : ''}`;

// The points of a team in a game.
function made(game, team) {
  if (game.result === '1/2-1/2') return '½';
  return game.result === (game.black === team ? '1-0' : '0-1') ? '1' : '0';
}

export function crossTable(tournament) {
  const order = tournament.standings.map((row) => row.team);
  const cells = new Map();
  for (const game of tournament.games.filter(({status}) => status === 'played')) {
    for (const team of [game.black, game.white]) {
      const key = `${team} ${team === game.black ? game.white : game.black}`;
      cells.set(key, [...(cells.get(key) || []), [made(game, team), game.number]]);
    }
  }
  const head = (at) => (tournament.standings[at].reference ? `R${at + 1 - tournament.team_count}` : String(tournament.standings[at].place ?? '–'));
  return h('div', {class: 'cross'}, tableOf(['#', 'Team', ...order.map((team, at) => head(at))], order.map((team, at) => h('tr', {}, h('td', {class: 'place'}, head(at)),
    h('th', {scope: 'row'}, teamLink(tournament, team)), order.map((rival) => h('td', {class: rival === team ? 'self' : ''},
      h('div', {class: 'meetings'}, (cells.get(`${team} ${rival}`) || []).map(([points, number]) => h('a', {href: `#/learn/tournament/${tournament.id}/${number}`, 'aria-label': `${points}, game ${number}`}, points))))))), 'Cross-table'));
}

const faultWords = (faults) => Object.entries(faults).map(([kind, count]) => (count > 1 ? `${kind} ×${count}` : kind)).join(', ');

const isKnown = ({status}) => status === 'played' || status === 'annulled';

const isToCome = ({status}) => status === 'planned' || status === 'running';

// The slowest move and all faults of one team.
export function conduct(games, team) {
  const own = games.filter(isKnown).map((game) => ({game, at: game.black === team ? 0 : 1}));
  const faults = {};
  for (const {game, at} of own) {
    for (const [kind, count] of Object.entries(game.faults[at])) faults[kind] = (faults[kind] || 0) + count;
  }
  const slowest = own.filter(({game}) => game.plies).map(({game, at}) => game.slowest_ms[at]);
  return `${slowest.length ? `Slowest move ${(Math.max(...slowest) / 1000).toFixed(2)} s. ` : ''}Faults: ${faultWords(faults) || 'none'}.`;
}

const OPEN = {planned: 'to come', running: 'running', cancelled: 'not played'};

function resultCell(tournament, {number, result, status}) {
  if (status === 'running') return h('a', {href: `#/watch/${tournament.id}/game/${number}`}, OPEN[status]);
  if (OPEN[status]) return h('span', {class: 'soft'}, OPEN[status]);
  return h('a', {href: `#/learn/tournament/${tournament.id}/${number}`}, status === 'annulled' ? h('s', {}, result) : result);
}

// Why a game is not played.
function cancelWords({rows}, {black, white, round}) {
  const banned = [black, white].findIndex((team) => typeof rows.get(team).disqualified === 'string');
  if (banned >= 0) return `${banned ? 'White' : 'Black'} is disqualified`;
  const gone = [black, white].map((team) => rows.get(team).withdrawn_after).map((last) => last !== null && round > last);
  if (gone[0] && gone[1]) return 'both have withdrawn';
  return gone[0] ? 'Black has withdrawn' : gone[1] ? 'White has withdrawn' : '';
}

function whyWords(tournament, game) {
  if (game.status === 'cancelled') return cancelWords(tournament, game);
  return isKnown(game) ? endingOf(tournament.game, game) : '';
}

function gameRow(tournament, game) {
  const isOver = isKnown(game);
  const faults = isOver ? game.faults.map(faultWords).map((words, at) => words && `${at ? 'White' : 'Black'}: ${words}`).filter(Boolean).join('; ') : '';
  return h('tr', {}, h('td', {class: 'place'}, String(game.number)), [game.black, game.white].map((team) => h('td', {class: 'team'}, teamLink(tournament, team))),
    h('td', {class: 'whole'}, resultCell(tournament, game)),
    h('td', {class: 'whole'}, isOver ? scoreOf(tournament.game, game.score) : ''), h('td', {class: 'why'}, whyWords(tournament, game)),
    h('td', {class: 'whole'}, isOver && game.plies ? game.slowest_ms.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' / ') : ''), h('td', {class: 'faults'}, faults));
}

export function gameTable(tournament, games, label) {
  return tableOf(['#', 'Black', 'White', 'Result', 'Score', 'Why', 'Slowest move', 'Faults'], games.map((game) => gameRow(tournament, game)), label);
}

function roundOf(tournament, round, games, isOpen) {
  const byes = tournament.byes.filter((bye) => bye.round === round).map((bye) => tournament.names.get(bye.team));
  const count = (wanted) => games.filter(({status}) => status === wanted).length;
  const counts = {played_games: count('played'), annulled_games: count('annulled'), cancelled_games: count('cancelled'), total_games: games.length};
  return h('details', {open: isOpen, 'data-round': String(round)}, h('summary', {}, `Round ${round}`,
    h('span', {class: 'soft'}, ` ${gameCount(counts, ' games played')}`)), gameTable(tournament, games, `Games of round ${round}`),
  byes.length ? h('p', {class: 'soft'}, `Bye: ${byes.join(', ')}`) : null);
}

// opened: whether the user has opened or closed a round, by number; else the current round is open.
export function rounds(tournament, opened) {
  const current = tournament.games.find(isToCome)?.round;
  const list = [];
  for (let round = 1; round <= tournament.rounds; round++) {
    const games = tournament.games.filter((game) => game.round === round);
    const isOpen = round === current || tournament.rounds < 3;
    if (games.length) list.push(roundOf(tournament, round, games, opened.get(String(round)) ?? isOpen));
  }
  return list;
}

// --- For the big screen. ---

const pairWords = ({names}, {black, white}, middle, winner = null) => [[black, 'black'], [white, 'white']]
  .map(([team, side]) => h('span', {class: winner === side ? 'is-winner' : null}, names.get(team))).flatMap((name, at) => (at ? [middle, name] : [name]));

// The results of the last games, the newest first.
export function lastResults(tournament, count) {
  const over = tournament.games.filter(({status}) => status === 'played').sort((one, two) => two.ended_ms - one.ended_ms).slice(0, count);
  return over.map((game) => h('li', {}, pairWords(tournament, game, h('b', {}, scoreOf(tournament.game, game.score)), OUTCOME_OF[game.result])));
}

// The games that begin next.
export function nextGames(tournament, count) {
  return tournament.games.filter(({status}) => status === 'planned').slice(0, count).map((game) => h('li', {}, pairWords(tournament, game, h('b', {}, '–'))));
}
