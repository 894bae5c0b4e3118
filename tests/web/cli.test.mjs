// cli: what the commands print with --json, and the files for programs, are as openapi.json describes them.
import test, {after} from 'node:test';
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {plum} from './arena.mjs';
import {api, check} from './schema.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plum-cli-'));
chmodSync(folder, 0o755); // without namespaces the agents of root need to enter it
after(() => rmSync(folder, {recursive: true}));

const list = (name) => ({type: 'array', items: {$ref: `#/components/schemas/${name}`}});
const one = (name) => api.components.schemas[name];

function run(words, status = 0) {
  const {stdout, stderr, status: code} = spawnSync(plum, words, {cwd: folder, encoding: 'utf8'});
  assert.equal(code, status, `plum ${words.join(' ')}: ${stderr}`);
  return stdout;
}

function printed(schema, words, status = 0) {
  const value = JSON.parse(run([...words, '--json'], status));
  check(schema, value, words.join(' '));
  return value;
}

const END = 'O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/....O..X/........ b';

test('positions and searches', () => {
  for (const game of ['hop', 'reversi', 'meichu']) {
    printed(one('Position'), ['moves', game, 'start']);
    printed(one('Position'), ['show', game, 'start']);
    printed(one('SearchResult'), ['bestmove', game, 'start', '--nodes', '500']);
    printed(one('Analysis'), ['analyze', game, 'start', '--depth', '2']);
  }
  printed(one('Position'), ['moves', 'hop', '......../......../......../......../......../......../......../........ b 200 200']);
  printed(one('Solution'), ['solve', 'othello', END]);
});

test('lists and the version', () => {
  printed(list('Game'), ['games']);
  printed(list('Level'), ['levels']);
  printed(one('Bid'), ['bid']);
  printed(one('Version'), ['version']);
});

test('a record, correct or not, with or without a position', () => {
  writeFileSync(join(folder, 'games.txt'), '[Game "reversi"]\n[Black "a"]\n[Mood "good"]\n[Result "*"]\n\n1. b 33 {t=0.431 d=14 s=+0.52 n=12}\n2. w 34 {t=5.2}\n\n'
    + '[Game "hop"]\n[Result "1-0"]\n[Score "1-0"]\n[Reason "malformed"]\n\n1. b 22-23\n{w t=0.4 fault=malformed}\n\n[Game "hop"]\n[Result "*"]\n\n1. b 11-77\n\n');
  const records = printed(list('Record'), ['replay', 'games.txt'], 1);
  assert.deepEqual(records.map(({number, ok}) => [number, ok]), [[1, true], [2, true], [3, false]]);
  assert.equal(records[0].tags.Mood, 'good');
  printed(list('Record'), ['replay', 'games.txt', '--at', '1'], 1);
});

test('a match, with faults and with a stopping rule', () => {
  printed(one('Match'), ['match', 'hop', '--black', 'random', '--white', 'random']);
  printed(one('Match'), ['match', 'hop', '--black', 'random', '--white', 'random', '--sprt', '-300,300', '--games', '20']);
  const {players} = printed(one('Match'), ['match', 'hop', '--black', 'ugi:false', '--white', 'random', '--sandbox', 'off']);
  assert.deepEqual(players[0].faults, {crashed: 2});
  const {violations} = printed(one('Match'), ['match', 'hop', '--black', 'ugi:cat /etc/ssh/key', '--white', 'random', '--games', '1']);
  assert.deepEqual(violations.map(({team, kind, what, count}) => [team, kind, what, count]), [['ugi:cat /etc/ssh/key', 'read', 'read /etc/ssh/key', 1]]);
  printed(one('Selfplay'), ['selfplay', 'meichu', '--games', '2', '--player', 'random', '--record', 'self.txt']);
});

test('the check of an agent that crashes', () => {
  const {ready, checks} = printed(one('Check'), ['check', 'reversi', 'ugi:false', '--sandbox', 'off', '--max-time', '30'], 1);
  assert.equal(ready, false);
  assert.ok(checks.some(({fault}) => fault?.kind), 'one check has a fault');
});

test('a tournament, its tables, its report and its grades', () => {
  writeFileSync(join(folder, 't.ini'), '[tournament]\nname = <b>T</b>\ngame = meichu\nformat = swiss\nrounds = 2\n'
    + '[team 1]\nname = One\nplayer = random\n[team 2]\nplayer = random\ndays_late = 1\n[team 3]\nplayer = random\n[student 9]\nname = Nine\nteam = 1\n');
  writeFileSync(join(folder, 'bad.ini'), '[tournament]\ngame = chess\n');
  printed(one('TournamentPlan'), ['tournament', 'check', 't.ini']);
  printed(one('RosterProblems'), ['tournament', 'check', 'bad.ini'], 2);
  printed(one('TournamentForecast'), ['tournament', 'plan', 't.ini']);
  printed(one('QualificationList'), ['tournament', 'qualify', 't.ini']);
  printed(list('Standing'), ['tournament', 'run', 't.ini']);
  writeFileSync(join(folder, 'own.ini'), '[tournament]\ngame = reversi\nqualification = yes\npoints = 3 1 0\nreference = random\n[team 1]\nplayer = random\n[team 2]\nplayer = random\n[team 3]\nplayer = ugi:false\nentered_after = 1\n');
  assert.deepEqual(printed(one('TournamentPlan'), ['tournament', 'check', 'own.ini']).references, ['random']);
  printed(one('TournamentForecast'), ['tournament', 'plan', 'own.ini']);
  const own = printed(list('Standing'), ['tournament', 'run', 'own.ini']);
  assert.deepEqual([own[2].failed, own[2].entered_after, own[3].reference], [true, 1, true]);
  assert.equal(printed(one('TournamentStatus'), ['tournament', 'status', 'own.db']).points.win, 3);
  printed(list('CrosstableRow'), ['tournament', 'crosstable', 'own.db']);
  run(['tournament', 'annul', 't.db', '1', '--reason', 'a test']);
  printed(one('TournamentStatus'), ['tournament', 'status', 't.db']);
  const standings = printed(list('Standing'), ['tournament', 'standings', 't.db']);
  printed(list('CrosstableRow'), ['tournament', 'crosstable', 't.db']);
  const games = printed(list('TournamentGame'), ['tournament', 'games', 't.db']);
  const game = printed(one('TournamentGame'), ['tournament', 'games', 't.db', '2']);
  assert.match(game.record, /^\[Game "meichu"\]/);
  for (const anonymous of [[], ['--anonymous']]) {
    run(['tournament', 'report', 't.db', '-o', 'report', ...anonymous]);
    const report = JSON.parse(readFileSync(join(folder, 'report/report.json')));
    check(one('Report'), report, 'report.json');
    const page = readFileSync(join(folder, 'report/index.html'), 'utf8');
    const shown = JSON.parse(page.match(/id="data">([^]*?)<\/script>/)[1]);
    for (const name of ['name', 'played_games', 'standings', 'qualification']) {
      assert.deepEqual(shown[name], report[name], `the page has the same ${name}`);
    }
    if (anonymous.length) continue;
    assert.deepEqual(report.games, games, 'the same games');
    assert.deepEqual(report.standings.map((row) => Object.fromEntries(Object.keys(standings[0]).map((name) => [name, row[name]]))), standings, 'the same standings');
  }
  const sheet = printed(one('GradeSheet'), ['tournament', 'grade', 't.db', '-o', 'grades.csv', '--analyze', '0']);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'grades.json'))), sheet, 'the file has the same data');
});

test('the submissions of a class', () => {
  mkdirSync(join(folder, 'in'));
  cpSync(new URL('../agents/Sample.py', import.meta.url), join(folder, 'in/Team_7.py'));
  writeFileSync(join(folder, 'in/Team_8.cpp'), 'int main( {\n');
  printed(one('Submissions'), ['tournament', 'init', 'reversi', 'in', '-o', 'class.ini']);
});
