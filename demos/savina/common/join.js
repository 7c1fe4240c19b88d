import { Reactor } from 'swingset-runner/reactor';

/** Adds what several branches have computed, when all have. */
export class Join extends Reactor {
  finished = this.output();

  constructor(container, { branches }) {
    super(container);
    this.values = this.inputs(branches);
    let come = 0;
    let sum = 0;

    this.reaction({ triggers: this.values, effects: this.finished }, () => {
      this.values.forEachPresent(value => {
        come += 1;
        sum += value;
      });
      if (come < branches) return;
      this.finished.set(sum);
      come = 0;
      sum = 0;
    });
  }
}
