import { Reactor } from 'swingset-runner/reactor';

/** Takes a tenth of a second and more over the first reading, no time over the others, and passes them on. */
export class Filter extends Reactor {
  in = this.input();
  out = this.output();

  filter = this.reaction({ triggers: this.in, effects: this.out }, () => {
    if (this.in.get() === 1) work();
    this.out.set(this.in.get());
  });
}

const work = () => {
  let sum = 0;
  for (let i = 0; i < 1e8; i += 1) sum = (sum + i) % 1000;
  return sum;
};
