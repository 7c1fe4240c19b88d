// Two vats of this kind send a number to and fro through their ports and decrease it, until it is
// 0.

import { Far } from '@endo/far';
import { Reactor } from 'swingset-runner/reactor';

class Player extends Reactor {
  in = this.input();
  out = this.output();
  start = this.action();
  serve = this.reaction({ triggers: this.start, effects: this.out }, () =>
    this.out.set(this.start.get()),
  );
  play = this.reaction({ triggers: this.in, effects: this.out }, () => {
    if (this.in.get() > 0) this.out.set(this.in.get() - 1);
  });
}

let player;

export const buildReactor = () => {
  player = new Player();
  return player;
};

export const buildRootObject = () =>
  Far('ports', {
    hand(times) {
      player.start.schedule(0, times);
    },
  });
