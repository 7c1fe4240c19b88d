// A traffic light: green for cars until somebody wants to cross, then green for people for a while.

import { Reactor, run } from 'swingset-runner/reactor';

class Light extends Reactor {
  /** Scheduled from outside the program; its tag comes from the clock. */
  wanted = this.physicalAction();
  over = this.action();
  isCrossing = false;

  constructor(show, crossing) {
    super();
    this.begin = this.reaction({ triggers: [this.startup, this.over] }, () => {
      this.isCrossing = false;
      show('cars: green');
    });
    this.cross = this.reaction({ triggers: this.wanted, effects: this.over }, () => {
      if (this.isCrossing) return;
      this.isCrossing = true;
      show('people: green');
      this.over.schedule(crossing);
    });
  }
}

/** Runs the light; `want()` is the button. */
export const startLight = (show, { crossing = '3 s', ...options } = {}) => {
  const light = new Light(show, crossing);
  const ended = run(light, { keepalive: true, ...options });
  return { want: () => light.wanted.schedule(0, true), ended };
};
