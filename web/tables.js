// tables: standings, who met whom, and the games of a tournament.
import {h} from './dom.js';
import {causeText} from './ending.js';

export const tableOf = (heads, rows, label) => h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label}, h('table', {class: 'table'},
  h('thead', {}, h('tr', {}, heads.map((head) => h('th', {scope: 'col'}, head)))), h('tbody', {}, rows)));

export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : '0');

// Scores may be negative: 4 : −4.
export const scorePair = (scores) => scores.map((score) => String(score).replace('-', '−')).join(' : ');

const teamLink = (scene, team) => h('a', {href: `#/watch/${scene.id}/team/${encodeURIComponent(scene.teams[team].id)}`}, scene.teams[team].name);

const byesOf = (scene, team) => scene.byes.filter((bye) => bye.team === team).length;

// A bye gives points, so it is counted where there are any.
export function standings(scene) {
  const hasByes = scene.byes.length > 0;
  return tableOf(['#', 'Team', 'Points', 'Won', 'Drawn', 'Lost', ...(hasByes ? ['Byes'] : []), 'Score'], scene.standings.map((row) => h('tr', {},
    h('td', {class: 'place'}, String(row.place)), h('th', {scope: 'row'}, teamLink(scene, row.team)), h('td', {}, h('b', {}, String(row.points))),
    [row.won, row.drawn, row.lost, ...(hasByes ? [byesOf(scene, row.team)] : []), signed(row.differential)].map((cell) => h('td', {}, String(cell))))), 'Standings');
}

// The first three places, shared or not.
export function podium(scene) {
  const steps = scene.standings.filter(({place}) => place <= 3);
  const isShared = steps.filter(({place}) => place === 1).length > 1;
  return h('section', {class: 'podium', 'aria-label': 'The first places'}, h('h2', {}, isShared ? 'The winners' : 'The winner'),
    h('ol', {}, steps.map(({place, team, points}) => h('li', {class: `step-${place}`}, h('span', {class: 'step-place'}, `${place}.`),
      h('b', {}, teamLink(scene, team)), h('span', {class: 'soft'}, `${points} points`)))));
}

export const OUTCOME_OF = {'1-0': 'black', '0-1': 'white', '1/2-1/2': 'draw'};

const endingOf = ({result, reason, status}) => `${causeText({outcome: OUTCOME_OF[result], reason})}${status === 'annulled' ? ', annulled' : ''}`;

// What a team made of a game.
function made(game, team) {
  if (game.result === '1/2-1/2') return '½';
  return (game.result === '1-0') === (game.black === team) ? '1' : '0';
}

export function crossTable(scene) {
  const order = scene.standings.map((row) => row.team);
  const cells = new Map();
  for (const game of scene.games.filter(({status}) => status === 'played')) {
    for (const team of [game.black, game.white]) {
      const key = `${team} ${team === game.black ? game.white : game.black}`;
      cells.set(key, [...(cells.get(key) || []), [made(game, team), game.number]]);
    }
  }
  return tableOf(['#', 'Team', ...order.map((team, at) => String(at + 1))], order.map((team, at) => h('tr', {}, h('td', {class: 'place'}, String(at + 1)),
    h('th', {scope: 'row'}, teamLink(scene, team)), order.map((rival) => h('td', {class: rival === team ? 'self' : ''},
      (cells.get(`${team} ${rival}`) || []).map(([points, number]) => h('a', {class: 'made', href: `#/learn/tournament/${scene.id}/${number}`, 'aria-label': `${points}, game ${number + 1}`}, points)))))), 'Cross-table');
}

const faultWords = (faults) => Object.entries(faults).map(([kind, count]) => (count > 1 ? `${kind} ×${count}` : kind)).join(', ');

const isPlayed = ({status}) => status === 'played' || status === 'annulled';

// The slowest move and all faults of one team.
export function conduct(games, team) {
  const own = games.filter(isPlayed).map((game) => ({game, at: game.black === team ? 0 : 1}));
  const faults = {};
  for (const {game, at} of own) {
    for (const [kind, count] of Object.entries(game.faults[at])) faults[kind] = (faults[kind] || 0) + count;
  }
  const slowest = own.filter(({game}) => game.plies).map(({game, at}) => game.slowest_ms[at]);
  return `${slowest.length ? `Slowest move ${(Math.max(...slowest) / 1000).toFixed(2)} s. ` : ''}Faults: ${faultWords(faults) || 'none'}.`;
}

function gameRow(scene, game) {
  const isKnown = isPlayed(game);
  const faults = isKnown ? game.faults.map(faultWords).map((words, at) => words && `${at ? 'White' : 'Black'}: ${words}`).filter(Boolean).join('; ') : '';
  return h('tr', {}, h('td', {class: 'place'}, String(game.number + 1)), h('td', {}, teamLink(scene, game.black)), h('td', {}, teamLink(scene, game.white)),
    h('td', {class: 'whole'}, isKnown ? h('a', {href: `#/learn/tournament/${scene.id}/${game.number}`}, game.result) : h('span', {class: 'soft'}, game.status === 'running' ? 'running' : 'to come')),
    h('td', {class: 'whole'}, isKnown ? scorePair(game.score) : ''), h('td', {class: 'why'}, isKnown ? endingOf(game) : ''),
    h('td', {class: 'whole'}, isKnown && game.plies ? game.slowest_ms.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' / ') : ''), h('td', {class: 'faults'}, faults));
}

export function gameTable(scene, games, label) {
  return tableOf(['#', 'Black', 'White', 'Result', 'Score', 'Why', 'Slowest move', 'Faults'], games.map((game) => gameRow(scene, game)), label);
}

function roundOf(scene, round, games, isOpen) {
  const byes = scene.byes.filter((bye) => bye.round === round).map((bye) => scene.teams[bye.team].name);
  return h('details', {open: isOpen, 'data-round': String(round)}, h('summary', {}, `Round ${round + 1}`,
    h('span', {class: 'soft'}, ` ${games.filter(isPlayed).length} of ${games.length} games played`)), gameTable(scene, games, `Games of round ${round + 1}`),
  byes.length ? h('p', {class: 'soft'}, `Bye: ${byes.join(', ')}`) : null);
}

// `opened` says of a round whether a reader has it open; else the one that is played is.
export function rounds(scene, opened) {
  const current = scene.games.find((game) => !isPlayed(game))?.round;
  const list = [];
  for (let round = 0; round < scene.rounds; round++) {
    const games = scene.games.filter((game) => game.round === round);
    const isOpen = round === current || scene.rounds < 3;
    if (games.length) list.push(roundOf(scene, round, games, opened.get(String(round)) ?? isOpen));
  }
  return list;
}
