// evaluator: Black's score of positions of running games, by the engine in this page: one search at a time, the newest position first.
import {noReport, stopThinking, think} from './engine.js';

export class Evaluator {
  constructor(game, nodes) {
    Object.assign(this, {game, nodes, wanted: []});
  }

  // onValue(score): not called if a later request with the same key comes first. Without a key every request is answered.
  ask(position, onValue, key = {}) {
    this.wanted = [...this.wanted.filter((entry) => entry.key !== key), {position, onValue, key}];
    this.working ||= this.work().finally(() => { this.working = null; });
  }

  // Without an engine nothing is evaluated; the next request tries again.
  async work() {
    while (this.wanted.length) {
      const {position, onValue} = this.wanted.pop();
      const report = await think({game: this.game, position, nodes: this.nodes}).catch(noReport).catch(() => null);
      if (!report) this.wanted = [];
      else onValue(position.split(' ')[1] === 'b' ? report.score : -report.score);
    }
  }

  close() {
    this.wanted = [];
    stopThinking();
  }
}
