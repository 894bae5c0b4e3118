// tables: standings, who met whom, and the games of a tournament.
import {h} from './dom.js';

export const tableOf = (heads, rows, label) => h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label}, h('table', {class: 'table'},
  h('thead', {}, h('tr', {}, heads.map((head) => h('th', {scope: 'col'}, head)))), h('tbody', {}, rows)));

export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : '0');

// Scores may be negative: 4 : −4.
export const scorePair = (scores) => scores.map((score) => String(score).replace('-', '−')).join(' : ');

const teamLink = (scene, team) => h('a', {href: `#/watch/${scene.id}/team/${encodeURIComponent(scene.teams[team].id)}`}, scene.teams[team].name);

export function standings(scene) {
  return tableOf(['#', 'Team', 'Points', 'Won', 'Drawn', 'Lost', 'Score'], scene.standings.map((row) => h('tr', {},
    h('td', {class: 'place'}, String(row.place)), h('th', {scope: 'row'}, teamLink(scene, row.team)),
    [h('b', {}, String(row.points)), row.won, row.drawn, row.lost, signed(row.differential)].map((cell) => h('td', {}, cell instanceof Node ? cell : String(cell))))), 'Standings');
}

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
      (cells.get(`${team} ${rival}`) || []).map(([points, number]) => h('a', {href: `#/learn/tournament/${scene.id}/${number}`, 'aria-label': `${points}, game ${number + 1}`}, points)))))), 'Cross-table');
}

const faultWords = (faults) => Object.entries(faults).map(([kind, count]) => (count > 1 ? `${kind} ×${count}` : kind)).join(', ');

const isPlayed = ({status}) => status === 'played' || status === 'annulled';

function gameRow(scene, game) {
  const isKnown = isPlayed(game);
  const faults = isKnown ? game.faults.map(faultWords).map((words, at) => words && `${at ? 'White' : 'Black'}: ${words}`).filter(Boolean).join('; ') : '';
  return h('tr', {}, h('td', {class: 'place'}, String(game.number + 1)), h('td', {}, teamLink(scene, game.black)), h('td', {}, teamLink(scene, game.white)),
    h('td', {}, isKnown ? h('a', {href: `#/learn/tournament/${scene.id}/${game.number}`}, game.result) : h('span', {class: 'soft'}, game.status === 'running' ? 'running' : 'to come')),
    h('td', {}, isKnown ? `${scorePair(game.score)}, ${game.reason}${game.status === 'annulled' ? ', annulled' : ''}` : ''),
    h('td', {}, isKnown ? game.slowest_ms.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(' / ') : ''), h('td', {class: 'verdict blunder'}, faults));
}

export function gameTable(scene, games) {
  return tableOf(['#', 'Black', 'White', 'Result', 'Score', 'Slowest move', 'Faults'], games.map((game) => gameRow(scene, game)), 'Games');
}

function roundOf(scene, round, games, isOpen) {
  const byes = scene.byes.filter((bye) => bye.round === round).map((bye) => scene.teams[bye.team].name);
  return h('details', {open: isOpen, 'data-round': String(round)}, h('summary', {}, `Round ${round + 1}`,
    h('span', {class: 'soft'}, ` ${games.filter(isPlayed).length} of ${games.length} games played`)), gameTable(scene, games),
  byes.length ? h('p', {class: 'soft'}, `Bye: ${byes.join(', ')}`) : null);
}

// `opened` says of a round whether a reader has it open; else the one that is played is.
export function rounds(scene, opened) {
  const list = [];
  for (let round = 0; round < scene.rounds; round++) {
    const games = scene.games.filter((game) => game.round === round);
    const isCurrent = !games.every(isPlayed) || scene.rounds < 3;
    if (games.length) list.push(roundOf(scene, round, games, opened.get(String(round)) ?? isCurrent));
  }
  return list;
}
