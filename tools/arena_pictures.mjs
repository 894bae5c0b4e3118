// arena_pictures: photographs the web arena for README and docs.
//
// usage: node tools/arena_pictures.mjs PLUM
//
// Writes docs/images/arena-*.png. Needs chromium and the packages of tests/web.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {openContext, browser} from '../tests/web/chromium.mjs';

const plum = resolve(process.argv[2]);
const images = fileURLToPath(new URL('../docs/images/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'plum-pictures-'));
const LAPTOP = {width: 1200, height: 760};

// Five teams of the engine, slow enough to be seen playing.
const teams = ['Amber', 'Birch', 'Cedar', 'Dune', 'Ember'];
writeFileSync(join(folder, 'class.ini'), `[tournament]\nname = AI course, Reversi\ngame = reversi\nformat = double-round-robin\n${
  teams.map((name, i) => `[team ${i + 1}]\nname = ${name}\nplayer = builtin:movetime=${150 + 60 * i}\n`).join('')}`);
const server = spawn(plum, ['tournament', 'run', 'class.ini', '--serve=0', '--concurrency', '2'], {cwd: folder, stdio: ['ignore', 'ignore', 'pipe']});
let said = '';
const url = await new Promise((found, fail) => {
  server.stderr.on('data', (text) => {
    const address = (said += text).match(/http:\/\/[^ ]+?:\d+\//);
    if (address) found(address[0]);
  });
  server.on('exit', () => fail(new Error(said)));
});

async function photograph(name, address, prepare = () => {}, options = {}) {
  const context = await openContext({viewport: LAPTOP, ...options});
  const page = await context.newPage();
  await page.goto(url + address);
  await page.waitForSelector('.board, .card, h1');
  await prepare(page);
  await page.waitForTimeout(1500);
  await page.screenshot({path: join(images, `arena-${name}.png`)});
  await context.close();
}

const CHAIN = 'O......./.X....../.....O../.X...OO./X.O.O.../X...OOO./......../X......._w_12_11';
const MEICHU = '...bfb.../.b..b..b./.b..ss.b./..bsbb.../...s..s../..BBSSB../.B.SS..B./.B...S.B./...BFB..._w_129_126';
const REVERSI = '25.34.52.23.45.35.46.22.55.24.43.53.32.42.54.33.63.13.44.64.31.36.14.41.11.61.74.65.16.47.40.51.03.12.60.56.71.20.62.10.30.26.15.66';
const chain = async (page) => {
  for (const square of ['25', '45', '43', '41', '21', '01']) await page.locator(`.stage [data-square="${square}"]`).click();
};
const analysed = async (page) => {
  await page.getByText(/blunders? found/).waitFor({timeout: 120000});
  await page.keyboard.press('End');
};
const soldier = (page) => page.locator('.stage [data-square="46"]').click();

await photograph('home', '');
await photograph('play', `#/play/hop?level=3&kind=people&position=${CHAIN}`, chain);
await photograph('learn', `#/learn/reversi?moves=${REVERSI}`, analysed);
await photograph('meichu', `#/play/meichu?level=3&kind=people&position=${MEICHU}`, soldier, {colorScheme: 'dark'});
await photograph('watch', '#/watch', (page) => page.waitForTimeout(8000));

await browser.close();
server.kill('SIGTERM');
await new Promise((ended) => server.on('exit', ended));
rmSync(folder, {recursive: true});
