import { Reactor } from 'swingset-runner/reactor';

/** Turns if a reading comes in time, and brakes if it comes too late. */
export class Motor extends Reactor {
  in = this.input();
  does = this.output();

  drive = this.reaction(
    {
      triggers: this.in,
      effects: this.does,
      deadline: '50 ms',
      late: () => this.does.set('brakes: the deadline of 50 ms is missed'),
    },
    () => this.does.set('turns'),
  );
}
