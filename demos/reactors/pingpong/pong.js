import { Reactor } from 'swingset-runner/reactor';

/** Sends back what comes, at the same tag. */
export class Pong extends Reactor {
  receive = this.input();
  send = this.output();
  count = 0;

  answer = this.reaction({ triggers: this.receive, effects: this.send }, () => {
    this.count += 1;
    this.send.set(this.receive.get());
  });

  end = this.reaction({ triggers: this.shutdown }, () => {
    const { timeNs, microstep } = this.util.getCurrentTag();
    console.log(`${this.count} were returned; shutdown at (${timeNs} ns, ${microstep})`);
  });
}

export const buildReactor = () => new Pong();
