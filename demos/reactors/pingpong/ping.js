import { Reactor } from 'swingset-runner/reactor';

/** Serves a ball, and the next one when it has come back. */
export class Ping extends Reactor {
  mayRequestStop = true;
  receive = this.input();
  send = this.output();

  constructor(container, { pings }) {
    super(container);
    const serve = this.action();
    let left = pings;

    this.reaction({ triggers: [this.startup, serve], effects: this.send }, () => {
      this.send.set(left);
      left -= 1;
    });

    this.reaction({ triggers: this.receive, effects: serve }, () => {
      if (left > 0) {
        serve.schedule(0);
        return;
      }
      const { timeNs, microstep } = this.util.getCurrentTag();
      console.log(`the last of ${pings} came back at (${timeNs} ns, ${microstep})`);
      this.requestStop();
    });
  }
}

export const buildReactor = (_vatPowers, parameters) => new Ping(null, parameters);
