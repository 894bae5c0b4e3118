// looks: what has to be seen is seen: marks on every kind of square, and buttons without scrolling.
import test from 'node:test';
import assert from 'node:assert/strict';
import {arena, match, open, pick, square, until} from './visitor.mjs';

const PHONE = {viewport: {width: 360, height: 620}, hasTouch: true, isMobile: true};
const CHAIN = '......../......../..XO..../....O.../...O...O/......../.X....../........_b_10_10';

// The worst contrast, over all squares of the board, between a mark and the square, or the pieces it may lie on.
const worstContrast = (page, mark, pseudo, pieces) => page.evaluate(([name, part, fills]) => {
  const brush = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const luminance = (colour) => {
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data].map((byte) => (byte <= 10 ? byte / 3294 : ((byte / 255 + .055) / 1.055) ** 2.4));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const contrast = (one, two) => {
    const [low, high] = [luminance(one), luminance(two)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  };
  const worst = {ratio: 99};
  for (const cell of document.querySelectorAll('.stage .cell:not(.hole)')) {
    const ground = getComputedStyle(cell).backgroundColor;
    cell.classList.add(...name.split(' '));
    const style = getComputedStyle(cell, part);
    const border = parseFloat(style.borderTopWidth) ? [style.borderTopColor] : [];
    const colours = [...border, ...style.boxShadow.matchAll(/rgb\([^)]*\)/g), style.backgroundColor].map(String).filter((colour) => !/\/ 0\.|rgba/.test(colour));
    cell.classList.remove(...name.split(' '));
    for (const under of fills.length ? fills : [ground]) {
      const ratio = Math.max(...colours.map((colour) => contrast(colour, under)));
      if (ratio < worst.ratio) Object.assign(worst, {ratio, square: cell.dataset.square, under, colours});
    }
  }
  return worst;
}, [mark, pseudo, pieces]);

for (const game of ['hop', 'reversi', 'meichu']) {
  test(`marks stand out from every square: ${game}`, async () => {
    const position = {hop: `${'........'.concat('/........'.repeat(6))}/X......O_b_10_10`, reversi: `*......*${'/........'.repeat(6)}/*......*_b`,
      meichu: `....f....${'/.........'.repeat(7)}/....F..S._b_20_20`}[game];
    const page = await open(`#/play/${game}?level=1&kind=people&position=${position}`);
    await page.locator('.stage .piece, .stage .is-target').first().waitFor();
    for (const [mark, pseudo] of [['is-target', '::after'], ['is-hint', '::before'], ['is-last', '::before'], ['is-path', '::before'], ['is-wrong', '::before']]) {
      const worst = await worstContrast(page, mark, pseudo, []);
      assert.ok(worst.ratio >= 3, `${mark}: ${JSON.stringify(worst)}`);
    }
    await page.context().close();
  });
}

test('a ring around what can be taken stands out from black and from white', async () => {
  const page = await open('#/play/meichu?level=1&kind=people&position=....f..../........./........./....b..../....S..../....B..../........./........./....F..s._b_20_20');
  await pick(page, '44');
  await square(page, '54').locator('.badge').waitFor();
  for (const name of ['34', '54']) {
    const colours = await square(page, name).evaluate((cell) => [getComputedStyle(cell, '::after').borderTopColor, getComputedStyle(cell, '::after').boxShadow]);
    assert.match(colours[1], /rgb\(255, 255, 255\)/, 'white beside the colour');
    assert.equal(colours[0], name === '34' ? 'rgb(143, 29, 35)' : 'rgb(43, 107, 63)', 'red takes, green pays');
  }
  await page.context().close();
});

const isInView = (locator) => locator.evaluate((element) => {
  const {top, bottom} = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
});

test('on a small phone a chain can be sent, and a game begun, without scrolling', async () => {
  const page = await open(`#/play/hop?level=1&kind=people&position=${CHAIN}`, PHONE);
  for (const name of ['22', '24', '44']) await pick(page, name);
  const send = page.getByRole('button', {name: 'Play this move'});
  await send.waitFor();
  assert.ok(await isInView(send));
  assert.ok(await isInView(page.getByText('its last square once more')));
  await page.goto(`${arena.url}#/play/new`);
  await page.getByRole('dialog').waitFor();
  assert.ok(await isInView(page.getByRole('button', {name: 'Start'})));
  await page.context().close();
});

test('whoever has never played is told what it is about, until the game is under way', async () => {
  const page = await open('#/play/hop?level=1', PHONE);
  const goal = page.getByText('Bring your men to the two dark columns on the right.');
  await goal.waitFor();
  assert.ok(await isInView(goal));
  await pick(page, '22');
  await pick(page, '23');
  await until(page, async () => (await match(page)).plies.length === 2, 'the engine answers');
  await goal.waitFor({state: 'hidden'});
  await page.context().close();
});

test('a page low and wide has room for the board', async () => {
  for (const viewport of [{width: 740, height: 360}, {width: 640, height: 400}]) {
    const page = await open('#/play/hop?level=1', {viewport});
    await square(page, '00').waitFor();
    const {width, height} = await page.locator('.stage .board').boundingBox();
    assert.ok(width >= viewport.height * .9 && height <= viewport.height, `${width} × ${height} in ${viewport.height}`);
    assert.equal(await page.locator('.top').evaluate((top) => getComputedStyle(top).position), 'static');
    await page.context().close();
  }
});

test('with forced colours the squares and the chosen one are still seen', async () => {
  const page = await open('#/play/hop?level=1', {forcedColors: 'active'});
  await square(page, '44').waitFor();
  await page.keyboard.press('ArrowDown');
  const outline = () => page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  await until(page, async () => (await outline()) === 'solid', 'the focus is drawn');
  const colours = await Promise.all(['00', '03', '07'].map((name) => square(page, name).evaluate((cell) => getComputedStyle(cell).backgroundColor)));
  assert.equal(new Set(colours).size, 3);
  await page.context().close();
});

test('another page is announced: its heading has the focus', async () => {
  const page = await open('');
  await page.getByRole('link', {name: 'How it works'}).click();
  await page.getByRole('heading', {name: 'Write an agent'}).waitFor();
  await until(page, () => page.evaluate(() => document.activeElement.tagName === 'H1'), 'the heading has the focus');
  await page.context().close();
});
