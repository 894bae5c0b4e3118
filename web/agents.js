// agents: how to write a program that plays: the commands for a game and a language.
import {h, clear, copy, tableOf} from './dom.js';
import {allGames} from './engine.js';
import {gameOf, gamesWith} from './games.js';

const LANGUAGES = {python: ['Python', 'py'], cpp: ['C++', 'cpp'], c: ['C', 'c']};

const FAULTS = ['too late', 'illegal move', 'crashed'];

const PROTOCOLS = {
  tcp: ['tcp:TEAM:COMMAND', 'The agent connects to localhost:8888 and sends its team number. It is sent 64 cells and its colour, and answers with the squares of its move: 32-bit little-endian numbers.'],
  file: ['file:TEAM:COMMAND', 'The agent watches state_TEAM.txt, eight rows of eight cells, and writes its move to move_TEAM.txt, one square a line.'],
  template: ['template:COMMAND', 'The program of the course, unchanged: it prints its bid and its moves and reads those of the other side.'],
  ugi: ['ugi:COMMAND', 'Lines of text as in chess: position, go and bestmove. The quickest to write in another language, for any game.'],
};

function commands(what, ...lines) {
  const text = lines.join('\n');
  return h('div', {class: 'copyable'}, h('pre', {tabindex: '0', role: 'region', 'aria-label': what}, h('code', {}, text)),
    h('button', {type: 'button', 'aria-label': `Copy: ${what}`, onclick: () => copy(text.replaceAll(/ \\\n */g, ' '), 'Commands')}, 'Copy'));
}

const usualTeam = (name) => gameOf(name).kit.team || '7';

// The files and commands of the kit, as `plum new` prints them.
function kitOf(name, language, team) {
  const {protocol, change} = gameOf(name).kit;
  const file = gameOf(name).kit.team ? team : gameOf(name).kit.file;
  const source = `${file}.${LANGUAGES[language][1]}`;
  const command = language === 'python' ? `python3 ${source}` : `./${file}`;
  const player = `'${PROTOCOLS[protocol][0].replace('TEAM', team).replace('COMMAND', command)}'`;
  return {source, change, player, make: `plum new ${name} ${language} my-agent --team ${team}`, build: language === 'python' ? null : `plum build ${name} ${source} -o ${file}`};
}

// The same kit as an archive, for those who have no Plum. The offline page has no server that could make it.
function kitDownload(name, language, team) {
  if (!location.host) return null;
  return h('p', {}, h('a', {class: 'button', href: `api/v1/kit?${new URLSearchParams({game: name, language, team})}`, download: `${name}-${language}.zip`}, 'Download the kit'),
    ' It needs no Plum: ', h('a', {href: '#/docs/practice'}, h('code', {}, 'practice.py')), ' plays against your agent on Windows, macOS and Linux. Where there is Plum:');
}

function steps(name, language, seconds, team) {
  const {source, change, player, make, build} = kitOf(name, language, team);
  return [
    h('h2', {}, '1. Start from a working one'), kitDownload(name, language, team), commands('make the agent', make, 'cd my-agent', ...(build ? [build] : [])),
    h('p', {}, 'It plays legal moves already. The part to improve is ', change.flatMap((one, at) => [at ? ' and ' : '', h('code', {}, one)]), ' in ', h('code', {}, source), build ? '; then build it again.' : '.'),
    h('h2', {}, '2. Check whether it is ready'), h('p', {}, 'Every problem comes with the board it happened on, and advice:'), commands('check the agent', `plum check ${name} ${player}`),
    h('h2', {}, '3. Let it play'), h('p', {}, 'Against random moves first, then against Plum itself; the clock is exact and the program runs in a sandbox:'),
    commands('play against random moves', `plum match ${name} --black ${player} \\`, '     --white random --games 10 --record games.txt'),
    commands('play against level 2', `plum match ${name} --black ${player} \\`, '     --white builtin:2 --games 20'),
    h('h2', {}, '4. Play against it'), h('p', {}, 'The address that it prints has a key. Open it, and your agent is among the players of a ', h('a', {href: '#/docs/web/your-own-agent'}, 'new game'), ', with its clock, its faults and its log:'),
    commands('play against the agent', `plum serve --agent ${player.replace("'", "'Mine=")}`),
    h('h2', {}, '5. Find out why it lost'), h('p', {}, 'Open ', h('code', {}, 'games.txt'), ' on the ', h('a', {href: '#/learn'}, 'Learn'),
      ' page: the curve shows where the game turned, and what should have been played.'),
    h('h2', {}, 'What follows a mistake'), tableOf(['Mistake', 'What follows'], FAULTS.map((head, at) => h('tr', {}, h('th', {scope: 'row'}, head), h('td', {}, gameOf(name).faults[at]))), 'What follows a mistake'),
    h('p', {}, `The time limit is ${seconds} seconds a move.`),
  ];
}

const protocols = (name) => [...gameOf(name).protocols, 'ugi'].map((protocol) => PROTOCOLS[protocol]).map(([form, text]) => h('section', {}, h('h3', {}, h('code', {}, form)), h('p', {}, text)));

const choice = (legend, group, options, chosen, onChoose) => h('fieldset', {class: 'choices'}, h('legend', {}, legend), h('div', {class: 'options'}, options.map(([value, label]) =>
  h('label', {class: 'option'}, h('input', {type: 'radio', name: group, value, checked: value === chosen, onchange: () => onChoose(value)}), h('span', {}, label)))));

export async function agentsView(place, [game, wanted]) {
  const infos = await allGames();
  const games = gamesWith('kit').filter(([name]) => infos.some((info) => info.name === name));
  const names = games.map(([name]) => name);
  if (game && !names.includes(game)) throw new Error(`There is no kit for ${game}.`);
  if (wanted && !Object.hasOwn(LANGUAGES, wanted)) throw new Error(`There is no kit in ${wanted}.`);
  if (!names.length || !place.isConnected) return null;
  let name = game || names[0];
  let language = wanted || 'python';
  let team = '';
  const guide = h('div', {});
  const forms = h('div', {});
  const show = () => {
    clear(guide, ...steps(name, language, infos.find((info) => info.name === name).time_limit_s, team || usualTeam(name)));
    number.placeholder = usualTeam(name);
    clear(forms, ...protocols(name));
  };
  const number = h('input', {type: 'text', inputmode: 'numeric', name: 'kit-team', maxlength: '12', autocomplete: 'off', oninput: () => {
    team = /^\d+$/.test(number.value) ? number.value : '';
    show();
  }});
  const choose = () => {
    history.replaceState(null, '', `#/agents/${name}/${language}`);
    show();
  };
  show();
  clear(place, h('div', {class: 'rules'}, h('article', {class: 'words'}, h('h1', {}, 'Write an agent'),
    h('p', {class: 'lead'}, 'An agent is a program that receives a position and sends a move. Plum gives you one that works, checks yours, and runs the games.'),
    h('form', {class: 'kit-choice'}, choice('Game', 'kit-game', games.map(([one, {title}]) => [one, title]), name, (value) => { name = value; choose(); }),
      choice('Language', 'kit-language', Object.entries(LANGUAGES).map(([one, [label]]) => [one, label]), language, (value) => { language = value; choose(); }),
      h('label', {class: 'name-choice'}, h('span', {}, 'Number of your team, or your student number'), number)), guide),
  h('aside', {class: 'card protocols', 'aria-labelledby': 'protocols'}, h('h2', {id: 'protocols'}, 'Protocols'), forms,
    h('p', {}, h('a', {href: '#/docs/agents'}, 'Byte by byte, with examples'), ' in the documents.'))));
  return null;
}
