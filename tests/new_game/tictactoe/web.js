// web: what the pages show and say about tic-tac-toe; web/games.js explains the fields.
export default {
  tictactoe: {
    title: 'Tic-tac-toe', short: 'Tic-tac-toe', manIs: 'disc',
    letters: {'*': ['stone', '']}, shapes: {stone: (svg) => [svg('path', {d: 'M0-24L24 0 0 24-24 0z', class: 'body'})]},
    noPlace: (piece, square) => `The square ${square} is taken.`,
    rules: ({h}) => [h('p', {class: 'lead'}, 'Three in a row win.')],
  },
};
