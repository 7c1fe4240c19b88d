import { Reactor } from 'swingset-runner/reactor';

/** Shows what the motor does. A deadline of 0 is always missed. */
export class Panel extends Reactor {
  in = this.input();
  missed = 0;

  show = this.reaction({ triggers: this.in }, () => {
    const seconds = this.util.getElapsedLogicalTime() / 1e9;
    console.log(`${seconds} s: the motor ${this.in.get()}`);
  });

  strict = this.reaction(
    {
      triggers: this.in,
      deadline: 0,
      late: () => {
        this.missed += 1;
      },
    },
    () => console.log('never comes here'),
  );

  end = this.reaction({ triggers: this.shutdown }, () =>
    console.log(`a deadline of 0 was missed ${this.missed} times`),
  );
}
