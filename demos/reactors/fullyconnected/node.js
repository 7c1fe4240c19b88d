import { Reactor } from 'swingset-runner/reactor';

/** Says its number on each of its channels, and says what it hears. */
export class Node extends Reactor {
  constructor(container, { width, number = undefined }) {
    super(container);
    this.in = this.inputs(width);
    this.out = this.outputs(width);
    const own = number ?? this.getBankIndex();
    this.reaction({ triggers: this.startup, effects: this.out }, () => {
      for (let i = 0; i < width; i += 1) this.out.set(i, own);
    });
    this.reaction({ triggers: this.in }, () =>
      console.log(`node ${own} hears`, this.in.values().join(', ')),
    );
  }
}

export const buildReactor = (_vatPowers, parameters) => new Node(null, parameters);
