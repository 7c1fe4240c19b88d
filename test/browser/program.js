// The programs that the page and Node run: one by logical time, and one that follows the clock.

import { Program, Reactor, interleaved, run, runFast } from 'swingset-runner/reactor';

class Node extends Reactor {
  /** @param {Reactor} container @param {number} width @param {string[]} trace */
  constructor(container, width, trace) {
    super(container);
    this.in = this.inputs(width);
    this.out = this.outputs(width);
    this.again = this.action({ minDelay: '1 ms' });
    this.start = this.reaction({ triggers: [this.startup, this.again], effects: this.out }, () => {
      for (let i = 0; i < width; i += 1) this.out.set(i, 10 * this.getBankIndex() + i);
    });
    this.hear = this.reaction({ triggers: this.in, effects: this.again }, () => {
      const { timeNs, microstep } = this.util.getCurrentTag();
      trace.push(`${timeNs}.${microstep} ${this.getBankIndex()}: ${this.in.values().join(' ')}`);
      this.again.schedule();
    });
  }
}

/** A bank of nodes that are all connected to each other. @returns {string[]} what they heard, with tags */
export const traceFast = () => {
  /** @type {string[]} */
  const trace = [];
  class Main extends Reactor {
    nodes = this.bank(3, Node, 3, trace);
    wires = this.connect(interleaved(this.nodes.port('out')), this.nodes.port('in'), { after: 0 });
  }
  runFast(new Main(), { timeout: '3 ms' });
  return trace;
};

/** A timer and a physical action. @returns {Promise<string[]>} what came, without the times that the clock showed */
export const traceRealTime = async () => {
  /** @type {string[]} */
  const trace = [];
  class Main extends Reactor {
    tick = this.timer('2 ms', '2 ms');
    press = this.physicalAction();
    ticked = this.reaction({ triggers: this.tick }, () => {
      trace.push(`tick at ${this.util.getCurrentTag().timeNs}`);
      // However slow the machine is, three come before.
      if (trace.length === 3)
        globalThis.setTimeout(() => this.press.schedule(0, 'from outside'), 5);
    });
    pressed = this.reaction({ triggers: this.press }, () => {
      trace.push(`press ${this.press.get()}`);
      this.requestStop();
    });
  }
  await run(new Main());
  return [...trace.slice(0, 3), ...trace.slice(-1)];
};

/** @returns {string} what is said of a cycle */
export const tellCycle = () => {
  class Echo extends Reactor {
    in = this.input();
    out = this.output();
    r = this.reaction({ triggers: this.in, effects: this.out }, () => {});
  }
  class Main extends Reactor {
    echo = new Echo(this);
    wire = this.connect(this.echo.out, this.echo.in);
  }
  try {
    return String(new Program(new Main()));
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
};

export const all = async () => ({
  fast: traceFast(),
  realTime: await traceRealTime(),
  cycle: tellCycle(),
});
