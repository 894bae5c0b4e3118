// agents: how to write a program that plays.
import {h, clear} from './dom.js';
import {gamesWith, shortNames} from './games.js';

const commands = (...lines) => h('pre', {tabindex: '0'}, h('code', {}, lines.join('\n')));

const FAULTS = ['too late', 'illegal move', 'crashed'];

// The games are those of the protocol, unless they are named here.
const PROTOCOLS = [
  ['tcp:TEAM:COMMAND', null, 'The agent connects to localhost:8888 and sends its team number. It is sent 64 cells and its colour, and answers with the squares of its move: 32-bit little-endian numbers.'],
  ['file:TEAM:COMMAND', null, 'The agent watches state_TEAM.txt, eight rows of eight cells, and writes its move to move_TEAM.txt, one square a line.'],
  ['template:COMMAND', null, 'The program of the course, unchanged: it prints its bid and its moves and reads those of the other side.'],
  ['ugi:COMMAND', 'All games', 'Lines of text as in chess: position, go and bestmove. The quickest to write in another language.'],
];

const playedThrough = (protocol) => gamesWith('protocols').filter(([, {protocols}]) => protocols.includes(protocol));

function faultTable() {
  const games = gamesWith('faults').map(([, entry]) => entry);
  return h('table', {class: 'table'},
    h('thead', {}, h('tr', {}, ['Mistake', ...games.map((game) => game.faultTitle || game.short)].map((cell) => h('th', {scope: 'col'}, cell)))),
    h('tbody', {}, FAULTS.map((head, at) => h('tr', {}, h('th', {scope: 'row'}, head), games.map(({faults}) => h('td', {}, faults[at]))))));
}

const steps = (game) => h('article', {class: 'words'}, h('h1', {}, 'Write an agent'),
  h('p', {class: 'lead'}, 'An agent is a program that receives a position and sends a move. Plum gives you one that works, checks yours, and runs the games.'),
  h('h2', {}, '1. Start from a working one'), h('p', {}, 'In C, C++ or Python, for any of the games:'),
  commands(`plum new ${game} python my-agent --team 7`, 'cd my-agent'),
  h('p', {}, 'It plays legal moves already. The file to change is named in its README.'),
  h('h2', {}, '2. Check whether it is ready'), h('p', {}, 'Every problem comes with the board it happened on, and advice:'),
  commands(`plum check ${game} 'tcp:7:python3 Sample.py'`),
  h('h2', {}, '3. Let it play'), h('p', {}, 'Against random moves first, then against Plum itself; the clock is exact and the program runs in a sandbox:'),
  commands(`plum match ${game} --black 'tcp:7:python3 Sample.py' \\`, '     --white random --games 10 --record games.txt', `plum match ${game} --black 'tcp:7:python3 Sample.py' \\`, '     --white builtin:2 --games 20'),
  h('h2', {}, '4. Find out why it lost'), h('p', {}, 'Open ', h('code', {}, 'games.txt'), ' on the ', h('a', {href: '#/learn'}, 'Learn'),
    ' page: the curve shows where the game turned, and what should have been played.'),
  h('h2', {}, 'What follows a mistake'), h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'What follows a mistake'}, faultTable()),
  h('p', {}, `The time limit is ${['five seconds a move', ...gamesWith('timeLimit').map(([, {timeLimit}]) => timeLimit)].join(', ')}.`));

const protocols = () => h('aside', {class: 'card protocols', 'aria-labelledby': 'protocols'}, h('h2', {id: 'protocols'}, 'Protocols'),
  PROTOCOLS.map(([form, games, text]) => h('section', {}, h('h3', {}, h('code', {}, form)), h('p', {}, h('b', {}, `${games || shortNames(playedThrough(form.split(':')[0])).join(', ')}. `), text))),
  h('p', {class: 'soft'}, 'Byte by byte in ', h('code', {}, 'docs/agents.md'), ', among Plum’s own files.'));

export async function agentsView(place) {
  clear(place, h('div', {class: 'rules'}, steps(playedThrough('tcp')[0]?.[0]), protocols()));
  return null;
}
