// A vat counts how often its own scheduler is looked at, by getters and methods that it puts in the place of what is there.
// That depends on how the kernel grants it time, which is not the same in a run that is resumed.

import { Reactor } from 'swingset-runner/reactor';

const countField = (m, object, name) => {
  let value = object[name];
  Object.defineProperty(object, name, {
    configurable: true,
    get: () => {
      m.count += 1;
      return value;
    },
    set: given => (value = given),
  });
};

const countCalls = (m, object, name) => {
  const method = object[name];
  Object.defineProperty(object, name, {
    configurable: true,
    value(...args) {
      m.count += 1;
      return method.apply(this, args);
    },
  });
};

const tricks = {
  method: m => {
    for (const name of ['prepareTag', 'nextStage', 'chooseTag', 'endTag', 'isLastTag'])
      countCalls(m, m.scheduler, name);
  },
  field: m => {
    for (const name of ['timeNs', 'microstep', 'nextTimeNs', 'isInTag', 'hasStopped', 'stopTimeNs'])
      countField(m, m.scheduler, name);
  },
  event: m => {
    m.spaced.schedule('700 us');
    for (const name of ['slot', 'timeNs', 'microstep']) countField(m, m.spaced.lastEvent, name);
  },
  ready: m => {
    countField(m, m.node.region, 'ready');
    countCalls(m, m.node.region.ready, 'nextStage');
    countField(m, m.answer.level, 'stage');
  },
  written: m => {
    countField(m, [...m.node.outlets][0].end, 'stage');
    [...m.node.outlets][0].written.push({
      get stage() {
        m.count += 1;
        return 0;
      },
      number: 0,
      slot: { value: 'forged' },
    });
  },
  watched: m => {
    for (const name of ['depth', 'stage', 'node', 'isMutation']) countField(m, m.run, name);
    let object = m.scheduler;
    for (; object !== null; object = Object.getPrototypeOf(object)) m.count += 1_000;
    m.count += m.scheduler.constructor.name.length * 100;
  },
  moving: m => {
    let n = 0;
    Object.defineProperty(m.scheduler, 'microstep', {
      get: () => (n += 1),
      set: () => {},
    });
  },
};

class Mallory extends Reactor {
  in = this.input();
  out = this.output();
  often = this.timer('10 us', '50 us');
  spaced = this.action({ minSpacing: '1 us' });
  count = 0;

  try = this.reaction({ triggers: this.startup, effects: this.spaced }, () => {
    try {
      tricks[this.trick](this);
    } catch (error) {
      console.log(error.constructor.name);
    }
  });

  // Runs by itself, as long as the kernel grants it.
  run = this.reaction({ triggers: [this.often, this.spaced] }, () => {});

  answer = this.reaction({ triggers: this.in, effects: this.out }, () => {
    console.log(`count ${this.count}`);
    this.out.set(this.count);
  });

  get scheduler() {
    return this.node.region.scheduler;
  }
}

export const buildReactor = (_powers, { trick }) => {
  const mallory = new Mallory();
  mallory.trick = trick;
  return mallory;
};
