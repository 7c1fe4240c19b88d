// Runs of vats with reactors.

export const imports = `
  import { Reactor } from 'swingset-runner/reactor';
  import { E, Far } from '@endo/far';
  const at = reactor => { const { timeNs, microstep } = reactor.util.getCurrentTag(); return timeNs / 1e6 + '.' + microstep; };
`;

export const source = `${imports}
  class Source extends Reactor {
    out = this.output();
    tick = this.timer(0, '10 ms');
    n = 0;
    r = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set({ n: (this.n += 1) }));
    end = this.reaction({ triggers: this.shutdown }, () => console.log(at(this), 'end'));
  }
  export const buildReactor = () => new Source();
`;

export const sink = `${imports}
  class Sink extends Reactor {
    in = this.input();
    begin = this.reaction({ triggers: this.startup }, () => console.log(at(this), 'begin'));
    r = this.reaction({ triggers: this.in }, () => console.log(at(this), this.in.get()));
    end = this.reaction({ triggers: this.shutdown, sources: this.in }, () => console.log(at(this), 'end', this.in.isPresent()));
  }
  export const buildReactor = () => new Sink();
`;
