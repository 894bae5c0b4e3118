// looks: whether the user sees what is needed: marks on every kind of square, and buttons without scrolling.
import test from 'node:test';
import assert from 'node:assert/strict';
import {FONTS, scaleFonts} from './chromium.mjs';
import {CHAIN, PHONE, arena, choose, match, open, openOwn, pick, square, until} from './visitor.mjs';

// The lowest contrast, over all squares of the board, between a mark and the square, or the pieces that it may cover.
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
    for (const [mark, pseudo] of [['is-source', '::after'], ['is-target', '::after'], ['is-hint', '::before'], ['is-last', '::before'], ['is-path', '::before'], ['is-wrong', '::before']]) {
      const worst = await worstContrast(page, mark, pseudo, []);
      assert.ok(worst.ratio >= 3, `${mark}: ${JSON.stringify(worst)}`);
    }
  });
}

test('a ring around what can be taken stands out from black and from white', async () => {
  const page = await open('#/play/meichu?level=1&kind=people&position=....f..../........./........./....b..../....S..../....B..../........./........./....F..s._b_20_20');
  await pick(page, '44');
  await square(page, '54').locator('.badge').waitFor();
  for (const name of ['34', '54']) {
    const colours = await square(page, name).evaluate((cell) => [getComputedStyle(cell, '::after').borderTopColor, getComputedStyle(cell, '::after').boxShadow]);
    assert.match(colours[1], /rgb\(255, 255, 255\)/, 'white next to the colour');
    assert.equal(colours[0], name === '34' ? 'rgb(143, 29, 35)' : 'rgb(43, 107, 63)', 'red takes, green pays');
  }
});

const SIDEWAYS = {viewport: {width: 844, height: 390}, hasTouch: true, isMobile: true};

const isInView = (locator) => locator.evaluate((element) => {
  const {top, bottom} = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
});

for (const [font, fontScale] of FONTS) {
  test(`on a small phone a chain can be sent, and a game begun, without scrolling: ${font}`, async () => {
    const page = await open(`#/play/hop?level=1&kind=people&position=${CHAIN}`, {...PHONE, fontScale});
    for (const name of ['22', '24', '44']) await pick(page, name);
    const send = page.getByRole('button', {name: 'Play this move'});
    await send.waitFor();
    assert.ok(await isInView(send));
    assert.ok(await isInView(page.getByText('its last square once more')));
    await page.goto(`${arena.url}#/play/new`);
    await page.getByRole('dialog').waitFor();
    assert.ok(await isInView(page.getByRole('button', {name: 'Start'})));
  });
}

test('the chain in the making and the last move of the other side differ by more than colour', async () => {
  const page = await open(`#/play/hop?level=1&kind=people&position=${CHAIN.replace('.X....../', '.X.....O/')}`);
  for (const name of ['61', '62']) await pick(page, name);
  for (const name of ['67', '66']) await pick(page, name);
  for (const name of ['22', '24', '44']) await pick(page, name);
  await page.getByText('2 hops so far').waitFor();
  const look = (name) => square(page, name).evaluate((cell) => {
    const {backgroundColor, boxShadow} = getComputedStyle(cell, '::before');
    return {backgroundColor, frame: boxShadow.match(/(\d+)px inset/)[1], number: cell.querySelector('.step-number')?.textContent};
  });
  const [first, second, last] = await Promise.all(['24', '44', '66'].map(look));
  assert.deepEqual([first.number, second.number, last.number], ['1', '2', undefined]);
  assert.notEqual(first.backgroundColor, last.backgroundColor);
  assert.ok(Number(first.frame) >= 2 * Number(last.frame), `${first.frame} and ${last.frame}`);
  assert.match(await square(page, '24').getAttribute('aria-label'), /hop 1 of this move/);
  assert.match(await square(page, '66').getAttribute('aria-label'), /of the last move/);
});

for (const [font, fontScale] of FONTS) {
  test(`on a small phone the question whether a chain continues does not cover the board: ${font}`, async () => {
    const page = await open('#/play/hop?level=1&kind=people&position=......../......../O......./......../......../.O.O..../XO.O.O../........_b_10_10', {...PHONE, fontScale});
    for (const name of ['60', '62']) await pick(page, name);
    await page.locator('.prompt.is-asking').waitFor();
    const edge = (selector, name) => page.locator(selector).evaluate((element, side) => element.getBoundingClientRect()[side], name);
    assert.ok(await edge('.stage .board', 'bottom') <= await edge('.prompt', 'top') + 1);
    assert.ok(await edge('.stage .board', 'top') >= await edge('.top', 'bottom') - 1);
  });
}

for (const [font, fontScale] of FONTS) {
  test(`on a small phone every button that changes the board of a replay scrolls to it, and a problem comes first: ${font}`, async () => {
    const page = await open('#/learn/othello?moves=23.22.21.24.32', {...PHONE, fontScale});
    const board = page.locator('.stage .board');
    await page.getByText(/^1 blunder/).waitFor();
    assert.ok(await isInView(page.getByRole('alert')));
    for (const name of ['21', 'Solve the mistakes', 'Look deeper here']) {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      assert.ok(!(await isInView(board)), 'a phone has no room for both');
      await page.getByRole('button', {name, exact: true}).click();
      assert.ok(await isInView(board), name);
      await page.keyboard.press('Home');
    }
  });
}

test('the bars turn over with the board, and a reload keeps that', async () => {
  const page = await open('#/agents');
  for (const address of ['#/play/hop?level=1&kind=people', '#/learn/hop?moves=22-23']) {
    await page.goto(`${arena.url}${address}`);
    const order = () => page.locator('.stage .player').evaluateAll((bars) => bars.map((bar) => bar.classList[1]).join());
    await square(page, '00').waitFor();
    assert.equal(await order(), 'white,black');
    await (address.startsWith('#/play') ? choose(page, 'Flip') : page.getByRole('button', {name: 'Flip'}).click());
    assert.equal(await order(), 'black,white');
    await page.reload();
    await square(page, '00').waitFor();
    assert.equal(await order(), 'black,white');
    assert.equal(await page.locator('.stage .cell').first().getAttribute('data-square'), '77');
  }
});

test('a square that was clicked keeps the focus when the board is turned over', async () => {
  const page = await open('#/play/othello?level=1&kind=people');
  await square(page, '11').click();
  await page.keyboard.press('f');
  await until(page, async () => (await page.locator('.stage .cell').first().getAttribute('data-square')) === '77', 'the board is turned');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), '11');
});

test('the goal of the game is shown until both sides have moved', async () => {
  const page = await open('#/play/hop?level=1', PHONE);
  const goal = page.getByText('Bring your men to the two dark columns at the far side.');
  await goal.waitFor();
  assert.ok(await isInView(goal));
  await pick(page, '22');
  await pick(page, '23');
  await until(page, async () => (await match(page)).plies.length === 2, 'the engine answers');
  await goal.waitFor({state: 'hidden'});
});

test('a page low and wide has room for the board, in any font', async () => {
  const page = await openOwn('#/play/hop?level=1');
  await square(page, '00').waitFor();
  for (const viewport of [{width: 740, height: 360}, {width: 640, height: 400}]) {
    await page.setViewportSize(viewport);
    for (const [font, fontScale] of FONTS) {
      await scaleFonts(page, fontScale);
      const {width, height} = await page.locator('.stage .board').boundingBox();
      assert.ok(width >= viewport.height * .9 && height <= viewport.height, `${font}: ${width} × ${height} in ${viewport.height}`);
      assert.equal(await page.locator('.top').evaluate((top) => getComputedStyle(top).position), 'static');
    }
  }
});

for (const [font, fontScale] of FONTS) {
  test(`a phone held sideways shows board and both players at once: ${font}`, async () => {
    const page = await open('#/agents', {...SIDEWAYS, fontScale});
    const meichu = '....f..../........./........./....b..../....S..../....B..../........./........./....F..s._b_20_20';
    for (const address of ['#/play/hop?level=1', `#/play/meichu?level=1&kind=people&position=${meichu}`, '#/learn/hop?moves=22-23']) {
      await page.goto(`${arena.url}${address}`);
      await square(page, '00').waitFor();
      const board = page.locator('.stage .board');
      await until(page, async () => {
        await board.evaluate((element) => element.scrollIntoView({block: 'nearest'}));
        return isInView(board);
      }, 'the whole board is seen');
      for (const bar of await page.locator('.stage .player').all()) assert.ok(await isInView(bar), address);
      const names = await page.locator('.stage .player-name').evaluateAll((list) => list.filter((name) => name.scrollWidth > name.clientWidth).length);
      assert.equal(names, 0, 'names are not cut');
    }
  });
}

for (const [font, fontScale] of FONTS) {
  test(`a phone held sideways shows a chain and the buttons for it at once, and all there is to choose for a game: ${font}`, async () => {
    const page = await open(`#/play/hop?level=1&kind=people&position=${CHAIN}`, {...SIDEWAYS, fontScale});
    for (const name of ['22', '24', '44']) await pick(page, name);
    const send = page.getByRole('button', {name: 'Play this move'});
    await send.waitFor();
    for (const part of [send, page.getByRole('button', {name: 'Undo last step'}), page.locator('.stage .board')]) assert.ok(await isInView(part));
    await page.goto(`${arena.url}#/play/new`);
    const dialog = page.getByRole('dialog');
    for (const kind of ['You against Plum', 'Plum against Plum']) {
      await dialog.getByRole('radio', {name: kind}).check();
      for (const part of await dialog.locator('.option, .level, .clock-choice, .dialog-foot').all()) assert.ok(!(await part.isVisible()) || await isInView(part), `${kind}: ${await part.textContent()}`);
      await dialog.getByLabel('Clock').click({trial: true});
    }
  });
}

test('with forced colours the squares and the chosen one can still be seen', async () => {
  const page = await open('#/play/hop?level=1', {forcedColors: 'active'});
  await square(page, '44').waitFor();
  await page.keyboard.press('ArrowDown');
  const outline = () => page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  await until(page, async () => (await outline()) === 'solid', 'the focus is drawn');
  const colours = await Promise.all(['00', '03', '07'].map((name) => square(page, name).evaluate((cell) => getComputedStyle(cell).backgroundColor)));
  assert.equal(new Set(colours).size, 3);
});

test('the first link skips the navigation, and a reload shows the same page', async () => {
  const page = await open('#/rules/hop');
  await page.getByRole('heading', {name: 'Hop', exact: true}).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await page.reload();
  await page.getByRole('heading', {name: 'Hop', exact: true}).waitFor();
  assert.equal(await page.title(), 'Hop · Rules · Plum');
});

test('another page is announced: its heading has the focus', async () => {
  const page = await open('');
  await page.getByRole('link', {name: 'How it works'}).click();
  await page.getByRole('heading', {name: 'Write an agent'}).waitFor();
  await until(page, () => page.evaluate(() => document.activeElement.tagName === 'H1'), 'the heading has the focus');
});
