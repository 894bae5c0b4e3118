// web: what the pages show and say about reversi and othello; web/games.js explains the fields.
const withoutCorners = ({h, list}) => [
  h('p', {class: 'lead'}, 'Reversi on a board whose four corners are missing, and which starts empty.'),
  h('h2', {}, 'How'), list('Any empty square of the inner 6 × 6 may be played on, whether it flips something or not.',
    'A square on the border may be played on only if that flips at least one disc.',
    'Every disc that is placed flips all enemy discs it encloses in a straight line, in all eight directions.',
    'Lines stop at the missing corners as they do at the edge.'),
  h('h2', {}, 'Passing'), h('p', {}, 'Who can play must play. Who cannot is passed over. When neither can, the game is over.'),
  h('h2', {}, 'The end'), h('p', {}, 'More discs win; equal numbers are a draw. The eight squares next to the missing corners can never be flipped: they are the corners of this game.'),
];

const standard = ({h, list}) => [
  h('p', {class: 'lead'}, 'The standard game: enclose the other side’s discs to turn them.'),
  h('h2', {}, 'How'), list('A disc may be placed only where it flips at least one enemy disc.', 'It flips all that it encloses in a straight line, in all eight directions.',
    'Who cannot play passes; when neither can, the game is over.'),
  h('h2', {}, 'The end'), h('p', {}, 'More discs win. Empty squares count for the winner.'),
];

// letters: of the last position; empty where it is not known.
function endWords({letters}) {
  if (!letters.length) return 'no move is left';
  return letters.includes('.') ? 'neither side can move' : 'the board is full';
}

const shared = {
  endings: {'no-moves': endWords},
  theme: 'baize', manIs: 'disc', unit: 'discs', scale: 900, score: 'difference', protocols: ['tcp', 'file'],
  kit: {protocol: 'tcp', file: 'Sample', change: ['GetStep']},
  faults: ['the first legal square is played', 'the first legal square is played', 'the first legal square is played to the end of the game'],
  facts: 'what is on fifty places of twelve shapes, edges, diagonals and blocks, and how many moves each side has',
  choose: 'choose a marked square',
  lesson: {
    position: '......../......../......../..XOO.../......../......../......../........ b', label: 'A black disc at the end of a row encloses two white discs, which become black',
    targets: ['35'], last: ['33', '34'],
  },
  holdings: ({count, counted}) => [counted(count('man'), 'disc', 'discs')],
};

function noPlace(piece, square, more) {
  if (piece?.piece === 'hole') return 'The corners are no squares here.';
  if (piece) return `There is a disc on ${square} already.`;
  return `A disc on ${square} would turn nothing over${more}.`;
}

export default {
  reversi: {
    ...shared, lesson: {...shared.lesson, position: '#......#/......../......../..XOO.../......../......../......../#......# b'}, title: 'Reversi without corners', short: 'Reversi', edition: 'Without corners', hasPuzzles: true, hasDemo: true,
    line: 'Place anywhere in the middle; the corners are gone.',
    goal: () => 'Have more discs in the end. Enemy discs that yours enclose in a line become yours; in the middle you may place one anywhere.',
    noPlace: (piece, square) => noPlace(piece, square, '; on the border it has to'),
    rules: withoutCorners,
    tries: [['#......#/......../..XO..../..OX.O../...OX.../....O.../......../#......# b', 'the middle is free, the border is not: find out where you can play.']],
    sample: '#OOXXXX#/XXXOXXOO/.O.OXXO./.O.XXOOO/...XXOX./.O..O.../...OX.../#......# w',
    show: {
      start: '#......#/......../......../......../......../......../......../#......#',
      plies: [
       '22 #......#/......../..X...../......../......../......../......../#......#',
       '55 #......#/......../..X...../......../......../.....O../......../#......#',
       '44 #......#/......../..X...../......../....X.../.....O../......../#......#',
       '25 #......#/......../..X..O../......../....X.../.....O../......../#......#',
       '52 #......#/......../..X..O../......../....X.../..X..O../......../#......#',
       '32 #......#/......../..X..O../..O...../....X.../..X..O../......../#......#',
       '34 #......#/......../..X..O../..O.X.../....X.../..X..O../......../#......#',
       '41 #......#/......../..X..O../..O.X.../.O..X.../..X..O../......../#......#',
       '35 #......#/......../..X..O../..O.XX../.O..X.../..X..O../......../#......#',
       '43 #......#/......../..X..O../..O.OX../.O.OX.../..X..O../......../#......#',
       '33 #......#/......../..X..O../..OXXX../.O.OX.../..X..O../......../#......#',
       '53 #......#/......../..X..O../..OXXX../.O.OX.../..XO.O../......../#......#',
       '24 #......#/......../..X.XO../..OXXX../.O.OX.../..XO.O../......../#......#',
       '23 #......#/......../..XOOO../..OOXX../.O.OX.../..XO.O../......../#......#',
       '42 #......#/......../..XOOO../..XOXX../.OXXX.../..XO.O../......../#......#',
       '45 #......#/......../..XOOO../..XOOO../.OOOOO../..XO.O../......../#......#',
       '54 #......#/......../..XOOO../..XOOO../.OOXOO../..XXXO../......../#......#',
       '31 #......#/......../..XOOO../.OOOOO../.OOXOO../..XXXO../......../#......#',
       '46 #......#/......../..XOOO../.OOOOO../.OOXXXX./..XXXO../......../#......#',
       '63 #......#/......../..XOOO../.OOOOO../.OOOXXX./..OOXO../...O..../#......#',
       '14 #......#/....X.../..XOXO../.OOOXO../.OOOXXX./..OOXO../...O..../#......#',
       '13 #......#/...OX.../..OOOO../.OOOXO../.OOOXXX./..OOXO../...O..../#......#',
       '36 #......#/...OX.../..OOOX../.OOOXXX./.OOOXXX./..OOXO../...O..../#......#',
       '64 #......#/...OX.../..OOOX../.OOOOXX./.OOOOXX./..OOOO../...OO.../#......#',
       '62 #......#/...OX.../..OOOX../.OOOOXX./.OOOXXX./..OXOO../..XOO.../#......#',
       '66 #......#/...OX.../..OOOX../.OOOOXX./.OOOXXX./..OXOO../..XOO.O./#......#',
       '40 #......#/...OX.../..OOOX../.OOOOXX./XXXXXXX./..OXOO../..XOO.O./#......#',
       '16 #......#/...OX.O./..OOOO../.OOOOXX./XXXXXXX./..OXOO../..XOO.O./#......#',
       '03 #..X...#/...XX.O./..OXOO../.OOXOXX./XXXXXXX./..OXOO../..XOO.O./#......#',
       '12 #..X...#/..OXX.O./..OOOO../.OOXOXX./XXXXXXX./..OXOO../..XOO.O./#......#',
       '26 #..X...#/..OXX.O./..OOOOX./.OOXOXX./XXXXXXX./..OXOO../..XOO.O./#......#',
       '30 #..X...#/..OXX.O./..OOOOX./OOOXOXX./XOXXXXX./..OXOO../..XOO.O./#......#',
       '51 #..X...#/..OXX.O./..OOOOX./OOOXOXX./XOXXXXX./.XXXOO../..XOO.O./#......#',
       '60 #..X...#/..OXX.O./..OOOOX./OOOOOXX./XOOXXXX./.OXXOO../O.XOO.O./#......#',
       '50 #..X...#/..OXX.O./..OXOOX./OOXOOXX./XXOXXXX./XXXXOO../O.XOO.O./#......#',
       '21 #..X...#/..OXX.O./.OOXOOX./OOOOOXX./XXOOXXX./XXXXOO../O.XOO.O./#......#',
       '06 #..X..X#/..OXX.X./.OOXOOX./OOOOOXX./XXOOXXX./XXXXOO../O.XOO.O./#......#',
       '15 #..X..X#/..OOOOX./.OOXOOX./OOOOOXX./XXOOXXX./XXXXOO../O.XOO.O./#......#',
       '56 #..X..X#/..OOOOX./.OOXOOX./OOOOOXX./XXOOXXX./XXXXXXX./O.XOO.O./#......#',
       '65 #..X..X#/..OOOOX./.OOXOOX./OOOOOOX./XXOOXOX./XXXXOOX./O.XOOOO./#......#',
       '61 #..X..X#/..OOOOX./.OOXOOX./OOOOOOX./XXOOXOX./XXXXOOX./OXXOOOO./#......#',
       '67 #..X..X#/..OOOOX./.OOXOOX./OOOOOOX./XXOOXOX./XXXXOOO./OXXOOOOO/#......#',
       '76 #..X..X#/..OOOOX./.OOXOOX./OOOOOOX./XXOOXOX./XXXXOOX./OXXOOOXO/#.....X#',
       '11 #..X..X#/.OOOOOX./.OOXOOX./OOOOOOX./XXOOXOX./XXXXOOX./OXXOOOXO/#.....X#',
       '75 #..X..X#/.OOOOOX./.OOXOOX./OOOOOOX./XXOOXOX./XXXXOOX./OXXOXOXO/#....XX#',
       '57 #..X..X#/.OOOOOX./.OOXOOX./OOOOOOX./XXOOXOO./XXXXOOOO/OXXOXOXO/#....XX#',
       '74 #..X..X#/.OOOOOX./.OOXOOX./OOOOOOX./XXOOXOO./XXXXOOOO/OXXXXOXO/#...XXX#',
       '47 #..X..X#/.OOOOOX./.OOXOOX./OOOOOOO./XXOOXOOO/XXXXOOOO/OXXXXOXO/#...XXX#',
       '27 #..X..X#/.OOOOOX./.OOXOOXX/OOOOOOX./XXOOXXOO/XXXXXOOO/OXXXXOXO/#...XXX#',
       '37 #..X..X#/.OOOOOX./.OOXOOOX/OOOOOOOO/XXOOXXOO/XXXXXOOO/OXXXXOXO/#...XXX#',
       '17 #..X..X#/.OOOOOXX/.OOXOOXX/OOOOOXOO/XXOOXXOO/XXXXXOOO/OXXXXOXO/#...XXX#',
       '71 #..X..X#/.OOOOOXX/.OOXOOXX/OOOOOXOO/XOOOXXOO/XOXXXOOO/OOXXXOXO/#O..XXX#',
       '01 #X.X..X#/.OXOOOXX/.OOXOOXX/OOOOOXOO/XOOOXXOO/XOXXXOOO/OOXXXOXO/#O..XXX#',
       '02 #XOX..X#/.OOOOOXX/.OOXOOXX/OOOOOXOO/XOOOXXOO/XOXXXOOO/OOXXXOXO/#O..XXX#',
       '72 #XOX..X#/.OOOOOXX/.OOXOOXX/OOOOOXOO/XOOOXXOO/XOXXXOOO/OXXXXOXO/#OX.XXX#',
       '73 #XOX..X#/.OOOOOXX/.OOXOOXX/OOOOOXOO/XOOOXXOO/XOXOXOOO/OXOOOOXO/#OOOXXX#',
       '10 #XOX..X#/XXXXXXXX/.XOXOOXX/OOXOOXOO/XOOXXXOO/XOXOXOOO/OXOOOOXO/#OOOXXX#',
       '20 #XOX..X#/XOXXXXXX/OOOXOOXX/OOXOOXOO/XOOXXXOO/XOXOXOOO/OXOOOOXO/#OOOXXX#',
       'pass #XOX..X#/XOXXXXXX/OOOXOOXX/OOXOOXOO/XOOXXXOO/XOXOXOOO/OXOOOOXO/#OOOXXX#',
       '04 #XOOO.X#/XOXOOOXX/OOOXOOOX/OOXOOXOO/XOOXXXOO/XOXOXOOO/OXOOOOXO/#OOOXXX#'
      ]
    },
  },
  othello: {
    ...shared, title: 'Othello', short: 'Othello', edition: 'Othello', hasPuzzles: true, hasDemo: true,
    line: 'The classic: every move must flip.',
    goal: () => 'Have more discs in the end. Place a disc so that it encloses enemy discs in a line: they become yours.',
    noPlace: (piece, square) => noPlace(piece, square, ''),
    rules: standard,
    tries: [['......../......../......../...OX.../...XO.../......../......../........ b', 'the first moves, for both sides.']],
    sample: '......../..X...../...XO.../..XXXO../..OXXX../...O.X../......../........ w',
  },
};
