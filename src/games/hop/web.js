// web: what the pages show and say about hop and hop-noloop; web/games.js explains the fields.
const ruleText = (loops) => ({h, list}) => [
  h('p', {class: 'lead'}, 'Two groups of nine cross the board in opposite directions and take what they jump over.'),
  h('h2', {}, 'Where to'), h('p', {}, 'Black starts on the left and goes to the two dark columns on the right; White goes to the two light columns on the left.'),
  h('h2', {}, 'How'), list('A step takes one man to an empty square next to it, up, down, left or right. It ends the move.',
    'A hop jumps over a man of either colour to the empty square right after it. The same man may hop on and on.',
    'An enemy that is jumped over is captured at once; one of your own men stays.',
    loops ? 'A chain may come back to a square it has visited, up to 99 hops in all.' : 'No square may be visited twice in one move, the first one included.',
    'Nothing is ever diagonal, and steps and hops do not mix.'),
  h('h2', {}, 'The end'), list('The game ends when either side has all its men, at least one, in its target columns; or when both have used 200 moves.',
    'The side that has more men at home then wins. A side that cannot move loses its turn.',
    'Capturing the other side down to men that are already home also ends the game: check first which side is ahead.'),
];

const GOALS = {
  black: 'Bring your men to the two dark columns at the far side.',
  white: 'Bring your men to the two light columns at the far side.',
  both: 'Black goes to the two dark columns, White to the two light ones.',
};

// The side with all men at home may have lost: where the last position is known, the text names it.
function homeWords({black, white, letters, person, title}) {
  const count = (letter) => letters.filter((man) => man === letter).length;
  const sides = [black > 0 && count('X') === black && 'black', white > 0 && count('O') === white && 'white'].filter(Boolean);
  if (sides.length !== 1) return `all men of ${sides.length ? 'both sides' : 'one side'} are home`;
  return sides[0] === person ? 'all your men are home' : `all men of ${title(sides[0])} are home`;
}

const shared = {
  endings: {'all-home': homeWords},
  theme: 'wood', unit: 'men', scale: 250, protocols: ['tcp', 'file'],
  faults: ['the turn is skipped', 'the turn is skipped', 'every turn is skipped to the end of the game'],
  chain: {one: 'hop', many: 'hops', more: 'Hop on, or play', last: 'No further hop: play'},
  choose: 'choose one of your men', numbers: ['Moves used by Black', 'Moves used by White'],
  numbersAt: (side, [, white]) => [white + (side === 'white' ? 1 : 0), white],
  lesson: {
    position: '......../......../..XO..../....O.../...O..../......../......../........ b 10 10', label: 'A man hops over three enemies, one after the other, and captures them',
    path: ['22', '24', '44', '42'], ghosts: {23: 'O', 34: 'O', 43: 'O'},
  },
  goal: (side) => `${GOALS[side || 'both']} Hop over men, as often as you can: enemies you hop over are captured.`,
  facts: 'what is seen through every window of 2 × 3 squares, how far both armies have to go, who can be hopped over',
  holdings: ({count, counted, position, side, result}) => [counted(count('man'), 'man', 'men'), ...(result ? [[result[side], 'home']] : []),
    [`${position.split(' ')[side === 'black' ? 2 : 3]}/200`, 'moves']],
  noWay: (from, to, {isChain, isLonger}) => (isChain ? `No hop leads from ${from} to ${to}.`
    : isLonger ? `No single step or hop leads from ${from} to ${to}: hop there one by one.`
      : `From ${from} there is no way to ${to}. A man steps straight to the next square, or hops straight over one man.`),
};

export default {
  hop: {
    ...shared, title: 'Hop', short: 'Hop', edition: 'With loops', hasPuzzles: true, hasDemo: true, kit: {protocol: 'tcp', file: 'Sample', change: ['GetStep']},
    line: 'Cross the board in long chains, capturing on the way.',
    rules: ruleText(true),
    tries: [['......../......../..XO..../....O.../...O...O/......../.X....../........ b 10 10', 'the man on row 2 can capture three in one chain.'],
    ['X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b 0 0', 'the first moves, for both sides.']],
    sample: '......../.X.....O/...XX.../.X...O.O/X..XXOO./.X.....O/X.OO..../.......O b 6 6',
    show: {
      start: 'X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O',
      plies: [
       '20-21 X......./.X.....O/.XX...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O',
       '57-56 X......./.X.....O/.XX...O./.X...O.O/X.X...O./.X...OO./X.....O./.......O',
       '60-61 X......./.X.....O/.XX...O./.X...O.O/X.X...O./.X...OO./.X....O./.......O',
       '17-27 X......./.X....../.XX...OO/.X...O.O/X.X...O./.X...OO./.X....O./.......O',
       '00-10 ......../XX....../.XX...OO/.X...O.O/X.X...O./.X...OO./.X....O./.......O',
       '27-25 ......../XX....../.XX..OO./.X...O.O/X.X...O./.X...OO./.X....O./.......O',
       '10-12-32-52 ......../.X....../.XX..OO./.X...O.O/X.X...O./.XX..OO./.X....O./.......O',
       '26-24 ......../.X....../.XX.OO../.X...O.O/X.X...O./.XX..OO./.X....O./.......O',
       '61-41-43 ......../.X....../.XX.OO../.X...O.O/X.XX..O./.XX..OO./......O./.......O',
       '37-36 ......../.X....../.XX.OO../.X...OO./X.XX..O./.XX..OO./......O./.......O',
       '51-53 ......../.X....../.XX.OO../.X...OO./X.XX..O./..XX.OO./......O./.......O',
       '77-67 ......../.X....../.XX.OO../.X...OO./X.XX..O./..XX.OO./......OO/........',
       '40-30 ......../.X....../.XX.OO../XX...OO./..XX..O./..XX.OO./......OO/........',
       '36-34 ......../.X....../.XX.OO../XX..OO../..XX..O./..XX.OO./......OO/........',
       '30-32-12 ......../.XX...../.XX.OO../.X..OO../..XX..O./..XX.OO./......OO/........',
       '67-65-45 ......../.XX...../.XX.OO../.X..OO../..XX.OO./..XX.OO./......O./........',
       '21-23 ......../.XX...../..XXOO../.X..OO../..XX.OO./..XX.OO./......O./........',
       '46-44 ......../.XX...../..XXOO../.X..OO../..XXOO../..XX.OO./......O./........',
       '11-13 ......../..XX..../..XXOO../.X..OO../..XXOO../..XX.OO./......O./........',
       '66-65 ......../..XX..../..XXOO../.X..OO../..XXOO../..XX.OO./.....O../........',
       '12-14 ......../...XX.../..XXOO../.X..OO../..XXOO../..XX.OO./.....O../........',
       '56-54 ......../...XX.../..XXOO../.X..OO../..XXOO../..XXOO../.....O../........',
       '31-32 ......../...XX.../..XXOO../..X.OO../..XXOO../..XXOO../.....O../........',
       '65-64 ......../...XX.../..XXOO../..X.OO../..XXOO../..XXOO../....O.../........',
       '43-63-65 ......../...XX.../..XXOO../..X.OO../..X.OO../..XXOO../.....X../........',
       '55-75 ......../...XX.../..XXOO../..X.OO../..X.OO../..XXO.../......../.....O..',
       '53-55 ......../...XX.../..XXOO../..X.OO../..X.OO../..X..X../......../.....O..',
       '45-43-41 ......../...XX.../..XXOO../..X.OO../.O..O.../..X..X../......../.....O..',
       '32-33 ......../...XX.../..XXOO../...XOO../.O..O.../..X..X../......../.....O..',
       '25-45 ......../...XX.../..XXO.../...XOO../.O..OO../..X..X../......../.....O..',
       '23-25 ......../...XX.../..X..X../...XOO../.O..OO../..X..X../......../.....O..',
       '45-43-23-03 ...O..../....X.../..X..X../....OO../.O..O.../..X..X../......../.....O..',
       '25-45-43 ...O..../....X.../..X...../....O.../.O.X..../..X..X../......../.....O..',
       '75-74 ...O..../....X.../..X...../....O.../.O.X..../..X..X../......../....O...',
       '43-53 ...O..../....X.../..X...../....O.../.O....../..XX.X../......../....O...',
       '74-73 ...O..../....X.../..X...../....O.../.O....../..XX.X../......../...O....',
       '52-54-56 ...O..../....X.../..X...../....O.../.O....../...X.XX./......../...O....',
       '03-02 ..O...../....X.../..X...../....O.../.O....../...X.XX./......../...O....',
       '14-15 ..O...../.....X../..X...../....O.../.O....../...X.XX./......../...O....',
       '73-72 ..O...../.....X../..X...../....O.../.O....../...X.XX./......../..O.....',
       '56-46 ..O...../.....X../..X...../....O.../.O....X./...X.X../......../..O.....',
       '34-44 ..O...../.....X../..X...../......../.O..O.X./...X.X../......../..O.....',
       '55-56 ..O...../.....X../..X...../......../.O..O.X./...X..X./......../..O.....',
       '72-71 ..O...../.....X../..X...../......../.O..O.X./...X..X./......../.O......'
      ]
    },
  },
  'hop-noloop': {
    ...shared, title: 'Hop without loops', edition: 'Without loops', hasPuzzles: true, kit: {protocol: 'file', file: 'Sample', change: ['GetStep']},
    line: 'The same, but no square twice in one move.',
    rules: ruleText(false),
    tries: [['X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b 0 0', 'the first moves, for both sides.']],
  },
};
