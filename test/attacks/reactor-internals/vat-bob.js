import { Reactor } from 'swingset-runner/reactor';

class Bob extends Reactor {
  tick = this.timer(0, '1 ms');
  ins = this.inputs(this.constructor.width);
  n = 0;
  got = this.reaction({ triggers: this.ins }, () =>
    console.log('got', this.util.getElapsedLogicalTime(), ...this.ins.present()),
  );
  r = this.reaction({ triggers: this.tick }, () => {
    this.n += 1;
    console.log('tick', this.n);
  });
}

export const buildReactor = (_powers, { width }) => {
  class Wide extends Bob {
    static width = width;
  }
  return new Wide();
};
