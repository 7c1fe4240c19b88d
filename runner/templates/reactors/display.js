// Prints each reading with its logical time.

import { Reactor } from 'swingset-runner/reactor';

class Display extends Reactor {
  reading = this.input();

  show = this.reaction({ triggers: this.reading }, () => {
    const { timeNs } = this.util.getCurrentTag();
    console.log(`${timeNs / 1e6} ms: ${this.reading.get()}`);
  });
}

export const buildReactor = () => new Display();
