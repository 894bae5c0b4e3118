// setup: the dialog for a new game: game, opponent, side and clock.
import {clear, h} from './dom.js';
import {picture} from './board.js';
import {firstGame, gameOf} from './games.js';
import {editLink} from './match.js';
import {recallObject, remember} from './storage.js';

const REMEMBERED = 'plum.setup';

const CLOCKS = [[0, 'No limit'], [3, '3 minutes a side'], [5, '5 minutes a side'], [10, '10 minutes a side'], [30, '30 minutes a side']];

const KINDS = [['engine', 'You against Plum'], ['people', 'Two people here'], ['engines', 'Plum against Plum']];
const AGENT_KINDS = [['agent', 'You against an agent'], ['watch', 'Watch an agent']];
const SIDES = [['black', 'Black, first'], ['white', 'White'], ['any', 'Either']];

// The settings of the latest dialog, as far as this one has them.
function latestSettings(games, strengths, kinds, agents) {
  const levels = strengths.map(({level}) => String(level));
  const ids = agents.map(({id}) => String(id));
  const allowed = new Map(Object.entries({
    game: games.map(({name}) => name), kind: kinds.map(([kind]) => kind), side: SIDES.map(([side]) => side), level: levels, rival: levels,
    minutes: CLOCKS.map(([minutes]) => String(minutes)), agent: ids, against: ['engine', ...ids],
  }));
  const isName = (field, value) => (field === 'one' || field === 'two') && typeof value === 'string';
  return recallObject(REMEMBERED, (field, value) => isName(field, value) || allowed.get(field)?.includes(value));
}

function choices(legend, name, options, chosen, extraClass = '') {
  return h('fieldset', {class: `choices ${extraClass}`}, h('legend', {}, legend), h('div', {class: 'options'},
    options.map(([value, label]) => h('label', {class: 'option'},
      h('input', {type: 'radio', name, value, checked: value === chosen}), h('span', {}, label)))));
}

function levelPicker(levels, name, label, level) {
  const words = h('output', {class: 'level-name'});
  const expect = h('span', {class: 'level-sentence'});
  const slider = h('input', {type: 'range', name, min: '1', max: '10', value: String(level), 'aria-label': label});
  const showLevel = () => {
    const {name: title, sentence} = levels[slider.value - 1];
    words.textContent = `${slider.value}: ${title}`;
    expect.textContent = `${sentence}.`;
    slider.setAttribute('aria-valuetext', `${words.textContent}. ${expect.textContent}`);
  };
  slider.addEventListener('input', showLevel);
  showLevel();
  const caption = h('span', {}, label);
  const el = h('label', {class: 'level'}, caption, slider, words, expect);
  // A slider that is not shown has no value in the form.
  const show = (isShown, text) => {
    el.hidden = !isShown;
    slider.disabled = !isShown;
    caption.textContent = text;
    slider.setAttribute('aria-label', text);
  };
  return {el, show};
}

function namePicker(name, value) {
  const field = h('input', {type: 'text', name, value, maxlength: '30', autocomplete: 'off'});
  const caption = h('span', {});
  const el = h('label', {class: 'name-choice'}, caption, field);
  const show = (isShown, text) => {
    el.hidden = !isShown;
    field.disabled = !isShown;
    caption.textContent = `Name of ${text}`;
  };
  return {el, show};
}

function hideFromScreenReaders(element) {
  element.setAttribute('aria-hidden', 'true');
  return element;
}

function gamePicker(games, chosen) {
  return h('fieldset', {class: 'choices games'}, h('legend', {}, 'Game'), h('div', {class: 'options'}, games.map((info) =>
    h('label', {class: 'option game-option'}, h('input', {type: 'radio', name: 'game', value: info.name, checked: info.name === chosen}),
      hideFromScreenReaders(picture(info, info.start, '')), h('span', {}, gameOf(info.name).title)))));
}

// Opens the dialog; resolves to the choice, or null when it was closed. notice: why the dialog is shown.
export function chooseGame(games, strengths, wanted = {}, notice = '', agents = []) {
  const kinds = agents.length && !wanted.position ? [...KINDS, ...AGENT_KINDS] : KINDS;
  const last = {game: firstGame(), kind: 'engine', level: '3', rival: '5', side: 'black', minutes: '0', one: 'Player 1', two: 'Player 2', ...latestSettings(games, strengths, kinds, agents), ...wanted};
  if (!kinds.some(([kind]) => kind === last.kind)) last.kind = 'engine';
  if (wanted.kind === 'agent' && agents.length && !agents.some((one) => one.games.includes(last.game))) [last.game] = agents[0].games;
  const level = levelPicker(strengths, 'level', 'Strength', last.level);
  const rival = levelPicker(strengths, 'rival', 'White', last.rival);
  const names = [namePicker('one', last.one), namePicker('two', last.two)];
  const setUp = wanted.position ? null : h('a', {}, 'Set up a position');
  const sides = choices('You play', 'side', SIDES, last.side);
  const picker = agentPicker(last);
  const clock = h('label', {class: 'clock-choice'}, 'Clock ', h('select', {name: 'minutes'},
    CLOCKS.map(([minutes, label]) => h('option', {value: String(minutes), selected: String(minutes) === String(last.minutes)}, label))));
  const form = h('form', {method: 'dialog'},
    h('header', {class: 'dialog-head'}, h('h2', {id: 'setup-title'}, 'New game'),
      h('button', {type: 'button', class: 'quiet close', 'aria-label': 'Close', onclick: () => dialog.close('')}, '✕')),
    notice ? h('p', {class: 'notice', id: 'setup-notice'}, notice) : null,
    wanted.position ? h('p', {class: 'soft'}, `${gameOf(last.game).title}, from the position in the link.`) : gamePicker(games, last.game),
    choices('Who plays', 'kind', kinds, last.kind), picker.el,
    h('div', {class: 'levels'}, level.el, rival.el, names.map(({el}) => el)), sides,
    clock,
    h('div', {class: 'dialog-foot'}, setUp, h('button', {class: 'primary big', value: 'start'}, 'Start')));
  const dialog = h('dialog', {class: 'setup', 'aria-labelledby': 'setup-title', 'aria-describedby': notice ? 'setup-notice' : null}, form);
  const arrange = () => {
    const canPlay = agents.filter((one) => one.games.includes(form.elements.game?.value));
    for (const input of form.querySelectorAll('[name=kind]')) {
      input.disabled = !canPlay.length && AGENT_KINDS.some(([kind]) => kind === input.value);
      if (input.disabled && input.checked) form.elements.kind.value = 'engine';
    }
    const kind = form.elements.kind.value;
    const hasAgent = kind === 'agent' || kind === 'watch';
    picker.show(kind, canPlay);
    clock.hidden = hasAgent;
    setUp?.toggleAttribute('hidden', hasAgent);
    const hasAuction = !wanted.position && games.some(({name, auction}) => auction && name === form.elements.game?.value);
    const [one, other] = hasAuction ? ['First bidder', 'Second bidder'] : ['Black', 'White'];
    level.show(hasAgent ? kind === 'watch' && form.elements.against.value === 'engine' : kind !== 'people', kind === 'engines' ? one : 'Strength');
    rival.show(kind === 'engines', other);
    names.forEach((name, at) => name.show(kind === 'people', [one, other][at].replace(/^\w+ bidder/, (words) => `the ${words.toLowerCase()}`)));
    setUp?.setAttribute('href', editLink(form.elements.game.value));
    sides.hidden = (kind !== 'engine' && !hasAgent) || hasAuction;
    sides.firstChild.textContent = kind === 'watch' ? 'The agent plays' : 'You play';
  };
  form.addEventListener('change', arrange);
  document.body.append(dialog);
  arrange();
  dialog.showModal();
  // With this focus Enter starts, arrows choose, and a phone shows the top.
  form.querySelector(':checked').focus();
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      const choice = dialog.returnValue === 'start' ? {...last, ...Object.fromEntries(new FormData(form))} : null;
      dialog.remove();
      if (choice) {
        const {position, ...keep} = choice;
        remember(REMEMBERED, keep);
      }
      done(choice);
    });
  });
}

// The fields for a game with an agent. last: what is chosen at first.
function agentPicker(last) {
  const agent = h('select', {name: 'agent'});
  const against = h('select', {name: 'against'});
  const rivalLabel = h('label', {}, 'Against ', against);
  const timed = h('label', {}, h('input', {type: 'checkbox', name: 'timed', value: '1'}), ' My moves have its time limit');
  const el = h('div', {class: 'agent-choice', hidden: true}, h('label', {}, 'Agent ', agent), rivalLabel, timed, h('p', {class: 'small soft'}, 'One protocol serves several games: choose the game that the agent was written for.'));
  const fill = (select, options) => {
    if ([...select.options].map(({value}) => value).join() === options.map(([value]) => value).join()) return;
    const chosen = select.value || last[select.name];
    clear(select, options.map(([id, name]) => h('option', {value: id, selected: id === chosen}, name)));
  };
  const show = (kind, canPlay) => {
    const options = canPlay.map(({id, name}) => [String(id), name]);
    el.hidden = kind !== 'agent' && kind !== 'watch';
    rivalLabel.hidden = kind !== 'watch';
    timed.hidden = kind !== 'agent';
    agent.disabled = el.hidden;
    fill(agent, options);
    fill(against, options.length ? [['engine', 'Plum'], ...options] : []);
  };
  return {el, show};
}

// The settings of a game, for another one like it.
export function choiceOf({game, players: {black, white}, limitMs}) {
  const people = [black, white].filter((player) => player.kind === 'human').length;
  const clock = {game, minutes: String(limitMs / 60000)};
  if (people === 2) return {...clock, kind: 'people', one: black.name, two: white.name};
  if (people === 0) return {...clock, kind: 'engines', level: String(black.level), rival: String(white.level)};
  return {...clock, kind: 'engine', side: black.kind === 'human' ? 'black' : 'white', level: String((black.kind === 'human' ? white : black).level)};
}

export function playersOf(choice) {
  const person = (name) => ({kind: 'human', name});
  const engine = (level) => ({kind: 'engine', level: Number(level)});
  if (choice.kind === 'people') return {black: person(choice.one?.trim() || 'Player 1'), white: person(choice.two?.trim() || 'Player 2')};
  if (choice.kind === 'engines') return {black: engine(choice.level), white: engine(choice.rival)};
  const side = choice.side === 'any' ? (Math.random() < .5 ? 'black' : 'white') : choice.side;
  const you = person('You');
  return side === 'black' ? {black: you, white: engine(choice.level)} : {black: engine(choice.level), white: you};
}
