import { Reactor } from 'swingset-runner/reactor';

const seconds = reactor => reactor.util.getElapsedLogicalTime() / 1e9;

/** Ticks while it works. After a pause it works on where it was; after a service it begins anew. */
export class Machine extends Reactor {
  button = this.input();
  work = this.mode({ initial: true });
  pause = this.mode();
  service = this.mode();

  tick = this.timer(0, '300 ms', this.work);
  ticks = this.state(0, this.work);

  count = this.reaction({ mode: this.work, triggers: this.tick }, () => {
    this.ticks.set(this.ticks.get() + 1);
    console.log(`${seconds(this)} s: tick ${this.ticks.get()}`);
  });

  working = this.reaction(
    { mode: this.work, triggers: this.button, effects: [this.pause.reset, this.service.reset] },
    () => this.enter(this.button.get(), this[this.button.get()].reset),
  );

  pausing = this.reaction(
    { mode: this.pause, triggers: this.button, effects: this.work.history },
    () => this.enter('work, where it was', this.work.history),
  );

  serving = this.reaction(
    { mode: this.service, triggers: this.button, effects: this.work.reset },
    () => this.enter('work, anew', this.work.reset),
  );

  enter(name, transition) {
    console.log(`${seconds(this)} s: ${name}`);
    transition.set();
  }
}
