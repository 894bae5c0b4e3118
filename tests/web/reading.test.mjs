// reading: the pages to read: every document, the API with its requests to try, the guide to writing an agent.
import test from 'node:test';
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {finishTournament, plum} from './arena.mjs';
import {FAILED_REQUEST, arena, here, open, openOwn, scratch, serve} from './visitor.mjs';

const docs = join(here, '../../docs');

test('/docs/NAME leads a person to the page; the Markdown is served as it is', async () => {
  const ask = (path, accept = 'text/html,*/*') => fetch(`${arena.url}${path}`, {redirect: 'manual', headers: {accept}});
  for (const path of ['docs', 'docs/agents', 'play', 'nonsense', '/example/']) {
    const answer = await ask(path);
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, `/#/${path}`]);
    assert.match(answer.headers.get('content-security-policy'), /default-src 'none'/);
    assert.equal((await ask(path, '*/*')).status, 404, 'a program gets an error');
  }
  for (const path of ['docs/%0d%0aSet-Cookie:x', '/example.org/', 'docs/nonsense.md', `docs/${'a'.repeat(200)}`, 'api/v1/nonsense']) assert.equal((await ask(path)).status, 404, path);
  const markdown = await ask('docs/agents.md');
  assert.equal(markdown.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(await markdown.text(), readFileSync(join(docs, 'agents.md'), 'utf8'));
  const picture = await fetch(`${arena.url}docs/images/arena-play.png`, {headers: {'accept-encoding': 'gzip'}});
  assert.deepEqual([picture.headers.get('content-type'), picture.headers.get('content-encoding')], ['image/png', null]);
});

// How many headings, tables, bold words and blocks of code a Markdown text has.
function countParts(text) {
  const blocks = text.match(/^ *```.*?^ *```/gms) || [];
  const words = text.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`\n]*`/g, '');
  const count = (pattern) => (words.match(pattern) || []).length;
  return {headings: count(/^#+ /gm), tables: count(/^ *\|[-|: ]*---[-|: ]*\|$/gm), bold: count(/\*\*/g) / 2, blocks: blocks.length};
}

// Runs in the page: what is shown of a document.
function readPage() {
  const article = document.querySelector('.document');
  const words = article.cloneNode(true);
  const count = (selector) => article.querySelectorAll(selector).length;
  words.querySelectorAll('code').forEach((code) => code.remove());
  return {
    text: words.textContent, parts: {headings: count('h1, h2, h3, h4'), tables: count('table'), bold: count('b'), blocks: count('pre')},
    links: [...article.querySelectorAll('a')].map((link) => link.getAttribute('href')), images: [...article.querySelectorAll('img')].map(({src}) => src),
    ids: [...article.querySelectorAll('[id]')].map(({id}) => id),
    wide: [...article.children].filter((block) => !block.matches('.scroll, pre') && block.scrollWidth > article.clientWidth + 1).length,
  };
}

// Runs in the page: whether a link leads to a heading.
async function openHeading(link) {
  document.activeElement.blur();
  location.hash = link;
  for (const end = Date.now() + 20000; document.activeElement === document.body && Date.now() < end;) await new Promise((done) => setTimeout(done, 5));
  return /^H[2-6]$/.test(document.activeElement.tagName) && document.activeElement.getBoundingClientRect().top < innerHeight;
}

test('every document is drawn whole, and every link in it leads somewhere', async () => {
  const page = await open('#/docs', {}, FAILED_REQUEST);
  const links = new Set();
  const headings = {};
  const names = readdirSync(docs).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
  assert.ok(names.length > 10);
  for (const name of names) {
    await page.goto(`${arena.url}#/docs/${name}`);
    await page.locator(`.document h1`).waitFor();
    const source = readFileSync(join(docs, `${name}.md`), 'utf8');
    await page.waitForFunction((title) => document.title.startsWith(title), source.match(/^# (.*)/)[1]);
    const shown = await page.evaluate(readPage);
    assert.deepEqual(shown.parts, countParts(source), name);
    const sign = shown.text.match(/.*(\*\*|\]\(|`|^\s*\||\|\s*$|^#+ |<img|\\\|).*/m);
    assert.equal(sign, null, `${name}: this was not understood: ${sign?.[0]}`);
    assert.equal(shown.wide, 0, `${name} is wider than its column`);
    for (const image of shown.images) assert.equal((await fetch(image)).status, 200, image);
    headings[name] = shown.ids;
    shown.links.forEach((link) => links.add(link));
  }
  const isOutside = (link) => /^https:\/\/[a-z0-9.]+(\/|$)/.test(link); // for people; nothing is loaded from there
  for (const link of [...links].filter((link) => !isOutside(link))) {
    const [, name, heading] = link.match(/^#\/docs\/([a-z-]+)(?:\/(.+))?$/) || [];
    if (!name) assert.equal((await fetch(`${arena.url}${link}`)).status, 200, link);
    else assert.ok(names.includes(name) && (!heading || headings[name].includes(`doc-${decodeURIComponent(heading)}`)), link);
  }
  for (const link of ['#/docs/agents/meichus-standard-input-and-output', '#/docs/commands/match', '#/docs/commands/tournament-init']) {
    assert.ok(links.has(link));
    assert.ok(await page.evaluate(openHeading, link), `${link} scrolls to its heading`);
  }
  await page.goto(`${arena.url}#/docs/nonsense`);
  await page.getByRole('heading', {name: 'Not found'}).waitFor();
});

test('every call of the API can be tried, and its schemas can be read', async () => {
  const folder = mkdtempSync(join(scratch, 'api-'));
  await finishTournament(folder, 'Tried');
  const own = await serve('--db', join(folder, 'class.db'), '--agent', 'Mine=random');
  const page = await open(`${own.url}#/play/new?key=${own.key}`, {permissions: ['clipboard-read', 'clipboard-write']}, FAILED_REQUEST);
  await page.getByRole('dialog').getByText('You against an agent').waitFor();
  const begun = await fetch(`${own.url}api/v1/sessions?game=othello&first=person&second=agent:1`, {method: 'POST', headers: {Authorization: `Bearer ${own.key}`, Origin: own.url.slice(0, -1)}});
  const {id, tokens} = await begun.json();
  assert.equal(id, 1); // not a game of this page: what is tried concerns the one that it begins
  await page.evaluate(([name, token]) => localStorage.setItem('plum.tokens', JSON.stringify({[name]: token})), [`${own.key}/1`, tokens[0]]);
  await page.goto(`${own.url}#/api`);
  assert.equal(await page.getByLabel('Plum-Token of POST /api/v1/sessions/{id}/stop').inputValue(), '', 'a game of another page is not ended by one click');
  const calls = page.locator('.document > section:has(.call)');
  const {paths} = await (await fetch(`${own.url}api/v1/openapi.json`)).json();
  assert.deepEqual((await page.locator('h2.call').allTextContents()).sort(), Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)).sort());
  for (const call of await calls.all()) {
    const name = await call.locator('h2').textContent();
    if (/sessions\/\{id\}/.test(name)) assert.match(await call.getByLabel('Address').inputValue(), /sessions\/2\b/, name);
    await call.getByRole('button', {name: 'Try'}).click();
    await call.getByRole('status').getByText(name.endsWith('}/bid') ? /^422 / : /^200 /).waitFor(); // hop has no auction
    assert.ok((await call.getByRole('region', {name: 'Answer', exact: true}).textContent()).length > 20);
    assert.ok(await call.evaluate((section) => section.querySelector('form').scrollWidth <= section.clientWidth), 'an answer with long lines does not widen the form');
  }
  const state = await (await fetch(`${own.url}api/v1/sessions/2`, {headers: {Authorization: `Bearer ${own.key}`}})).json();
  assert.deepEqual([state.game, state.plies[0].move, state.result.reason], ['hop', '20-21', 'resigned'], 'the game that was begun, moved in and resigned here');
  const position = calls.filter({hasText: 'GET /api/v1/position'});
  await position.getByRole('textbox').fill('/api/v1/position?game=hop&moves=zz');
  await position.getByRole('button', {name: 'Try'}).click();
  await position.getByText(/^4\d\d .*json/).waitFor();
  await position.getByRole('textbox').fill('//example.org/');
  await position.getByRole('button', {name: 'Try'}).click();
  await position.getByText('The address begins with /api/.').waitFor();
  await page.route('**/api/v1/position*', (route) => route.fulfill({contentType: 'application/json', body: JSON.stringify({list: [1, 2], text: `[  1 ] [${' '.repeat(60000)}`})}));
  await position.getByRole('textbox').fill("/api/v1/position?game=hop'");
  await position.getByRole('button', {name: 'Try'}).click();
  await position.getByText(/"list": \[1, 2\],\s+"text": "\[  1 \] \[ /).waitFor(); // text that an agent can choose is shown as it is, and at once
  await position.getByRole('textbox').fill("/api/v1/it's");
  await position.getByRole('button', {name: 'Copy as curl'}).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `curl '${own.url}api/v1/it'\\''s'`);
  await calls.filter({hasText: 'POST /api/v1/bestmove'}).getByRole('button', {name: 'Copy as curl'}).click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl -X POST 'http:[^']+bestmove[^']+'$/);
  await position.getByRole('link', {name: 'Position', exact: true}).click();
  await page.getByRole('region', {name: 'Fields of Position'}).waitFor();
});

test('the guide to agents has the commands that plum new prints, for each game and language, and copies them', async () => {
  const page = await openOwn('#/agents', {permissions: ['clipboard-read', 'clipboard-write']});
  await page.locator('.copyable').first().waitFor();
  const games = await page.getByRole('group', {name: 'Game'}).getByRole('radio').evaluateAll((list) => list.map(({value}) => value));
  assert.deepEqual(games.sort(), execFileSync(plum, ['games']).toString().trim().split('\n').map((line) => line.split(' ')[0]).sort());
  for (const game of games) {
    await page.getByRole('group', {name: 'Game'}).locator(`[value="${game}"]`).check();
    for (const language of ['python', 'cpp', 'c']) {
      await page.getByRole('group', {name: 'Language'}).locator(`[value="${language}"]`).check();
      const shown = (await page.locator('.copyable pre').allTextContents()).join('\n');
      const [make] = shown.split('\n');
      const folder = mkdtempSync(join(scratch, 'kit-'));
      const printed = execFileSync('sh', ['-c', make.replace('plum', '"$PLUM"')], {cwd: folder, env: {...process.env, PLUM: plum}}).toString();
      const wanted = printed.split('\n').filter((line) => line.startsWith('  ')).map((line) => line.trim());
      const commands = shown.replace(/ \\\n */g, ' ');
      for (const line of wanted.filter((one) => /^plum (build|check)/.test(one))) assert.ok(commands.includes(line), `${game} ${language}: ${line} is not in ${commands}`);
      const [, player] = wanted.at(-1).match(/--black ('.*?')/);
      assert.ok(commands.includes(`--black ${player} --white`), player);
      const archive = join(folder, 'kit.zip');
      writeFileSync(archive, Buffer.from(await (await fetch(new URL(await page.getByRole('link', {name: 'Download the kit'}).getAttribute('href'), arena.url))).arrayBuffer()));
      execFileSync('python3', ['-m', 'zipfile', '-e', archive, folder]);
      execFileSync('diff', ['-r', join(folder, 'my-agent'), join(folder, `${game}-${language}`)]);
      const parts = await page.locator('.words p', {hasText: 'The part to improve'}).locator('code').allTextContents();
      const source = readFileSync(join(folder, 'my-agent', parts.pop()), 'utf8');
      for (const part of parts) assert.ok(source.includes(part), part);
    }
  }
  await page.getByLabel('Number of your team').fill('4321');
  assert.match(await page.getByRole('link', {name: 'Download the kit'}).getAttribute('href'), /team=4321$/);
  assert.match(await page.locator('.copyable pre').first().textContent(), /--team 4321\n/);
  assert.equal(new URL(page.url()).hash, `#/agents/${games.at(-1)}/c`);
  await page.reload();
  await page.getByRole('button', {name: 'Copy: play against level 2'}).click();
  await page.getByText('Commands copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^plum match \S+ --black '[^']*' --white builtin:2 --games 20$/);
  await page.goto(`${arena.url}#/agents/hop/cobol`);
  await page.getByText('There is no kit in cobol.').waitFor();
});
