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

// Whatever a failed test has left running must not outlive the tests.
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
    return {child, url: found[0], port: Number(found[1])};
  }
  throw new Error(`plum did not start: ${text}`);
}

export function openArenaAt(port, ...args) {
  const child = start(['serve', '--port', String(port), ...args], {stdio: ['ignore', 'pipe', 'inherit']});
  return addressIn(child, child.stdout);
}

export const openArena = (...args) => openArenaAt(0, ...args);

// What it ends with: it must come down cleanly, also under a sanitizer.
export async function closeArena({child}) {
  child.kill('SIGINT');
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  return code;
}

// A tournament whose games take a few seconds each; resolves when its database is there.
export async function beginTournament(folder, moveMs = 40) {
  writeFileSync(`${folder}/class.ini`, `[tournament]
name = <b>Class</b>
game = othello
format = double-round-robin
time_limit = ${Math.max(5, moveMs / 500)}
[team 1]
name = <script>alert(1)</script>
player = builtin:movetime=${moveMs}
[team 2]
name = The others
player = builtin:movetime=${moveMs}
[team 3]
player = random
`);
  const child = start(['tournament', 'run', 'class.ini', '--concurrency', '2'], {cwd: folder, stdio: 'ignore'});
  const canBeRead = () => spawnSync(plum, ['tournament', 'status', `${folder}/class.db`]).status === 0;
  while (child.exitCode === null && !canBeRead()) await new Promise((done) => setTimeout(done, 50));
  return child;
}

const writeSmall = (folder, name, game, player) => writeFileSync(`${folder}/class.ini`, `[tournament]
name = ${name}
game = ${game}
format = double-round-robin
[team 1]
player = ${player}
[team 2]
player = ${player}
`);

// A tournament that shows itself while it runs: for long enough to come and look.
export function runServed(folder) {
  writeSmall(folder, 'Served', 'othello', 'builtin:movetime=200');
  const child = start(['tournament', 'run', 'class.ini', '--serve=0'], {cwd: folder, stdio: ['ignore', 'ignore', 'pipe']});
  return addressIn(child, child.stderr);
}

// A tournament that is over.
export async function finishTournament(folder, name) {
  writeSmall(folder, name, 'hop', 'random');
  const [code] = await once(start(['tournament', 'run', 'class.ini'], {cwd: folder, stdio: 'ignore'}), 'exit');
  if (code) throw new Error(`plum tournament run ended with ${code}`);
}
