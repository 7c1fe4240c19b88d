import { Reactor } from 'swingset-runner/reactor';
import { benchmark, bounds, insist, Runner } from '../common/benchmark.js';
import { Join } from '../common/join.js';
import { Ping, Pong } from '../pingpong/pingpong.js';

/** A ping-pong that knows nothing of others. */
class Pair extends Reactor {
  start = this.input();
  finished = this.output();

  constructor(container, parameters) {
    super(container);
    const ping = new Ping(this, parameters);
    const pong = new Pong(this);
    this.connect([this.start, ping.finished], [ping.start, this.finished]);
    this.connect([ping.ping, pong.pong], [pong.ping, ping.pong]);
  }
}

class PingPongMulti extends Reactor {
  constructor(parameters, check) {
    super();
    const runner = new Runner(this, parameters, check);
    const pairs = this.bank(parameters.branches, Pair, parameters);
    const join = new Join(this, parameters);
    this.connect(runner.start, pairs.port('start'), { repeat: true });
    this.connect(pairs.port('finished'), join.values);
    this.connect(join.finished, runner.finished);
  }
}

const check = (count, { pings, branches }) => {
  insist(count === pings * branches, () => `${count} of ${pings * branches} pings came`);
  return `${branches} times ${pings} pings`;
};

export const { defaults, makeMain, buildReactor } = benchmark({
  defaults: { pings: 1_000_000, branches: 2 },
  sizes: { branches: bounds.members },
  check,
  main: PingPongMulti,
  parts: { pair: Pair, join: Join },
});
