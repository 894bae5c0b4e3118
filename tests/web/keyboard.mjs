// keyboard: a user who plays without a mouse.
import assert from 'node:assert/strict';
import {arena, checkRecord, match, open, until} from './visitor.mjs';

// Level 1 overlooks moves at random, seeded by the number of the game: with the same number every run plays the same game.
async function openSeeded(address) {
  const page = await open('#/agents');
  await page.evaluate((hash) => {
    Math.random = () => .5;
    location.hash = hash;
  }, address);
  return page;
}

// The square that has the focus, or the text of another element that has it.
export const focused = (page) => page.evaluate(() => document.activeElement.dataset.square || document.activeElement.textContent);

// Goes to a square with the arrow keys and chooses it.
async function press(page, from, to) {
  const [down, right] = [0, 1].map((at) => Number(to[at]) - Number(from[at]));
  const keys = [...Array(Math.abs(down)).fill(down > 0 ? 'ArrowDown' : 'ArrowUp'), ...Array(Math.abs(right)).fill(right > 0 ? 'ArrowRight' : 'ArrowLeft'), 'Enter'];
  for (const key of keys) await page.keyboard.press(key);
}

// Plays the user's side, with the keyboard alone and the moves of a stronger engine, until the game is over. read: the game, as match.
export async function playByKeyboard(page, read = match) {
  const count = async () => (await read(page)).plies.length;
  for (let turn = 0; turn < 250; turn++) {
    let now = await read(page);
    if (now.ended) return now;
    const position = now.plies.at(-1)?.position || now.start;
    const side = position.split(' ')[1] === 'b' ? 'black' : 'white';
    if (now.players[side].kind === 'human') {
      const question = new URLSearchParams({game: now.game, position, nodes: '2000'});
      const {move} = await (await fetch(`${arena.url}api/v1/bestmove?${question}`, {method: 'POST'})).json();
      await page.locator(move === 'pass' ? '.commit button:text-is("Pass"):visible' : '.stage :is(.is-source, .is-target)').first().waitFor();
      if (move === 'pass') {
        assert.equal(await focused(page), 'Pass');
        await page.keyboard.press('Enter');
      } else {
        let at = await focused(page);
        assert.match(at, /^\d\d$/, 'the focus is on the board');
        // A chain is sent with its last square once more.
        const squares = move.split('-');
        for (const name of squares.length > 2 ? [...squares, squares.at(-1)] : squares) {
          await press(page, at, name);
          at = name;
        }
        const send = page.getByRole('button', {name: 'Play this move'});
        await until(page, async () => (await count()) > now.plies.length || send.isVisible(), `${move} is played`);
        if ((await count()) === now.plies.length) await page.keyboard.press('Enter');
      }
    }
    await until(page, async () => { now = await read(page); return now.ended || now.plies.at(-1)?.position !== position; }, 'the game continues');
  }
  return assert.fail('the game does not end');
}

export async function tabTo(page, target) {
  for (let tabs = 0; tabs < 20 && !(await target.evaluate((element) => element === document.activeElement)); tabs++) await page.keyboard.press('Tab');
}

// Sets up a game against level 1, plays it to its end and wins it.
export async function winByKeyboard(game) {
  const page = await openSeeded(`#/play/${game}`);
  await page.getByRole('dialog').waitFor();
  const slider = page.getByRole('slider', {name: 'Strength'});
  await tabTo(page, slider);
  for (let level = 3; level > 1; level--) await page.keyboard.press('ArrowLeft');
  assert.equal(await slider.inputValue(), '1', 'the slider keeps the focus');
  await page.keyboard.press('Enter');
  if (game === 'meichu') {
    await page.getByRole('heading', {name: 'The auction', level: 1}).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('140');
    await page.keyboard.press('Enter');
    await page.getByText(/You play Black with/).waitFor();
    await page.keyboard.press('Enter');
  }
  await until(page, () => match(page), 'the game begins');
  const end = await playByKeyboard(page);
  assert.equal(end.ended.outcome, 'black');
  await page.getByRole('heading', {name: 'You win!'}).waitFor();
  await page.getByRole('button', {name: 'Play level 2'}).waitFor();
  assert.match(await page.title(), /^You win! · /);
  assert.match(await focused(page), /^\d\d$/, 'the focus stays on the board');
  await checkRecord(page);
}
