import { Reactor } from 'swingset-runner/reactor';

/** Presses the button every half second: pause, work, service, work. */
export class Operator extends Reactor {
  button = this.output();
  tick = this.timer('700 ms', '500 ms');
  plan = ['pause', 'work', 'service', 'work'];

  press = this.reaction({ triggers: this.tick, effects: this.button }, () => {
    if (this.plan.length > 0) this.button.set(this.plan.shift());
  });
}
