// arena: starts `plum serve` for a test and ends it again.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';

export const plum = process.env.PLUM;

const running = new Set();

function start(args, options) {
  const child = spawn(plum, args, options);
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

// A failed test may leave programs running.
export function endAll() {
  for (const child of running) child.kill('SIGKILL');
}

async function addressIn(child, stream) {
  let text = '';
  for await (const chunk of stream.iterator({destroyOnReturn: false})) {
    text += chunk;
    const found = text.match(/http:\/\/[^ ]+?:(\d+)\//);
    if (!found) continue;
    stream.resume();
    return {child, url: found[0], port: Number(found[1]), key: text.match(/key=(\w+)/)?.[1]};
  }
  throw new Error(`plum did not start: ${text}`);
}

function openWith(args, options = {}) {
  const child = start(['serve', ...args], {stdio: ['ignore', 'pipe', 'inherit'], ...options});
  return addressIn(child, child.stdout);
}

export const openArenaAt = (port, ...args) => openWith(['--port', String(port), ...args]);

// For agents whose programs are in this folder.
export const openArenaIn = (cwd, ...args) => openWith(['--port', '0', ...args], {cwd});

export const openArena = (...args) => openArenaAt(0, ...args);

// The exit status: it must end cleanly, also under a sanitizer.
export async function closeArena({child}) {
  child.kill('SIGINT');
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  return code;
}

// A player that waits before each move, without using the processor. wait: a command of the shell.
function writePlayer(folder, wait) {
  writeFileSync(`${folder}/player.sh`, `while read -r line; do
  case $line in go*) ${wait}; line='go depth 1';; esac
  echo "$line"
done | "${plum}" engine othello
`);
  return 'ugi:sh player.sh';
}

export const slowPlayer = (folder, seconds) => writePlayer(folder, `sleep ${seconds}`);

// Makes no move before the file `begin` is in its folder.
export const heldPlayer = (folder) => writePlayer(folder, 'until [ -e begin ]; do sleep 0.05; done');

const roster = (name, game, teams) => `[tournament]
name = ${name}
game = ${game}
format = double-round-robin
time_limit = 120
sandbox = off
${teams.map(([team, player], at) => `[team ${at + 1}]\nname = ${team}\nplayer = ${player}\n`).join('')}`;

const twoTeams = (player) => [['One', player], ['Two', player]];

// A tournament that is running; resolves when its database can be read.
export async function beginTournament(folder, player, teams = 3) {
  const others = Array.from({length: teams - 3}, (none, at) => [`Team ${at + 4}`, player]);
  writeFileSync(`${folder}/class.ini`, roster('<b>Class</b>', 'othello',
    [['<script>alert(1)</script>', player], ['The others', player], ['Random', 'random'], ...others]));
  const child = start(['tournament', 'run', 'class.ini', '--concurrency', '2'], {cwd: folder, stdio: 'ignore'});
  const canBeRead = () => spawnSync(plum, ['tournament', 'status', `${folder}/class.db`]).status === 0;
  while (child.exitCode === null && !canBeRead()) await new Promise((done) => setTimeout(done, 50));
  return child;
}

// A tournament that shows itself while it is running.
export function runServed(folder, player) {
  writeFileSync(`${folder}/class.ini`, roster('Served', 'othello', twoTeams(player)));
  const child = start(['tournament', 'run', 'class.ini', '--serve=0'], {cwd: folder, stdio: ['ignore', 'ignore', 'pipe']});
  return addressIn(child, child.stderr);
}

// A tournament that is over.
export async function finishTournament(folder, name) {
  writeFileSync(`${folder}/class.ini`, roster(name, 'hop', twoTeams('random')));
  const [code] = await once(start(['tournament', 'run', 'class.ini'], {cwd: folder, stdio: 'ignore'}), 'exit');
  if (code) throw new Error(`plum tournament run ended with ${code}`);
}
