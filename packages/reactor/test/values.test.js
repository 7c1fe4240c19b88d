// Values that are shared between reactors cannot be changed, and what is read has to be declared.

import test from 'ava';
import fc from 'fast-check';
import { Reactor, runFast } from '../index.js';
import { copyValue, freezeValue } from '../freeze-value.js';

/**
 * A source that writes a value, and a reader that does something with it.
 *
 * @param {unknown} value
 * @param {(port: any) => void} read
 */
const passOn = (value, read) => {
  class Source extends Reactor {
    out = this.output();
    r = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(value));
  }
  class Main extends Reactor {
    source = new Source(this);
    r = this.reaction({ triggers: this.source.out }, () => void read(this.source.out));
  }
  return () => runFast(new Main());
};

test('a value that was written cannot be changed by who reads it', t => {
  const value = { list: [1, { deep: [2] }] };
  t.throws(
    passOn(value, port => port.get().list.push(3)),
    { message: /not extensible/ },
  );
  t.throws(
    passOn(value, port => (port.get().list[1].deep[0] = 3)),
    { message: /read only/ },
  );
  t.deepEqual(value, { list: [1, { deep: [2] }] });
});

test('a mutable copy may be changed, at any depth, and nobody sees it', t => {
  const value = { list: [1, { deep: [2] }] };
  passOn(value, port => {
    const copy = port.mutable();
    copy.list[1].deep.push(3);
    t.deepEqual(copy, { list: [1, { deep: [2, 3] }] });
    t.deepEqual(port.get(), { list: [1, { deep: [2] }] });
  })();
});

test('a value that is not plain data is passed on as it is', t => {
  class Account {
    balance = 1;
  }
  const account = new Account();
  const map = new Map([['a', {}]]);
  passOn({ account, map }, port => {
    port.get().account.balance = 2;
    t.is(port.mutable().account, account);
    t.is(port.mutable().map, map);
  })();
  t.is(account.balance, 2);
});

test('a value may hold itself, and be as deep as it likes', t => {
  /** @type {any} */
  const ring = { name: 'ring' };
  ring.self = ring;
  /** @type {any} */
  let deep = {};
  for (let i = 0; i < 100_000; i += 1) deep = { deep };
  passOn([ring, deep], port => {
    const [ringCopy] = port.mutable();
    t.not(ringCopy, ring);
    t.is(ringCopy.self, ringCopy);
    t.true(Object.isFrozen(port.get()[1].deep.deep));
  })();
});

test('a copy is equal and free, whatever the data', t => {
  fc.assert(
    fc.property(fc.object({ withNullPrototype: true, withSparseArray: true }), value => {
      freezeValue(value);
      const copy = copyValue(value);
      t.deepEqual(copy, value);
      t.true(Object.isExtensible(copy));
      t.true(Object.isFrozen(value));
    }),
    { numRuns: 200 },
  );
});

test('what an object holds under a symbol is frozen, too', t => {
  const inner = { n: 1 };
  freezeValue({ [Symbol('held')]: inner });
  t.true(Object.isFrozen(inner));
});

test('a value that refused to be frozen is tried again', t => {
  let refuses = true;
  const touchy = new Proxy(
    {},
    {
      preventExtensions: target => {
        if (refuses) throw Error('not now');
        return Reflect.preventExtensions(target);
      },
    },
  );
  const value = { touchy, after: { n: 1 } };
  t.throws(() => freezeValue(value), { message: 'not now' });
  refuses = false;
  freezeValue(value);
  t.true(Object.isFrozen(touchy));
  t.true(Object.isFrozen(value.after));
});

test('freezing and copying call no getter', t => {
  let calls = 0;
  const value = {
    get it() {
      calls += 1;
      return {};
    },
  };
  passOn(value, port => port.mutable())();
  t.is(calls, 0);
});

/** @type {[string, (main: Readers, body: () => void) => void][]} */
const undeclared = [
  ['act.get()', main => main.act.get()],
  ['act.isPresent()', main => main.act.isPresent()],
  ['t.get()', main => main.t.get()],
  ['t.isPresent()', main => main.t.isPresent()],
  ['Main.shutdown.isPresent()', main => main.shutdown.isPresent()],
];

class Readers extends Reactor {
  act = this.action();
  t = this.timer(0, 1);
}

for (const [name, read] of undeclared) {
  const [subject] = name.split(/\.\w+\(/);
  test(`${name} in a reaction that did not declare it is an error`, t => {
    class Main extends Readers {
      r = this.reaction({ triggers: this.startup }, () => void read(this, () => {}));
    }
    t.throws(() => runFast(new Main(), { timeout: 1 }), {
      message: `r failed at 0ns.0: r reads ${subject}, which it did not declare; add it to the triggers or sources of the reaction`,
    });
  });
}

test('actions, timers and startup are read by who declares them, as a trigger, source or effect', t => {
  /** @type {unknown[]} */
  const seen = [];
  class Main extends Readers {
    r1 = this.reaction(
      { triggers: this.t, sources: [this.act, this.startup], effects: this.act },
      () => {
        seen.push(this.t.isPresent(), this.act.isPresent(), this.startup.isPresent());
        this.act.schedule(1, 5);
      },
    );
    r2 = this.reaction({ triggers: this.act }, () => seen.push(this.act.get()));
  }
  runFast(new Main(), { timeout: 1 });
  t.deepEqual(seen, [true, false, true, true, true, false, 5]);
});

test('a reaction of a mode sees the startup of its mode', t => {
  /** @type {boolean[]} */
  const seen = [];
  class Main extends Reactor {
    A = this.mode({ initial: true });
    t = this.timer(1);
    r = this.reaction({ mode: this.A, triggers: [this.startup, this.t] }, () =>
      seen.push(this.startup.isPresent()),
    );
  }
  runFast(new Main(), { timeout: 1 });
  t.deepEqual(seen, [true, false]);
});

test('a reaction that declared one channel has that one only', t => {
  class Inner extends Reactor {
    in = this.inputs(3);
    out = this.outputs(3);
    fill = this.reaction({ triggers: this.startup, effects: this.out }, () => {
      for (let i = 0; i < 3; i += 1) this.out.set(i, i);
    });
  }
  /** @type {((main: any) => void)[]} */
  const bodies = [main => main.a.in.set(2, 1), main => main.a.out.get(2)];
  const messages = [
    'r failed at 0ns.0: r writes a.in[2], which it did not declare; add it to the effects of the reaction',
    'r failed at 0ns.0: r reads a.out[2], which it did not declare; add it to the triggers or sources of the reaction',
  ];
  bodies.forEach((body, i) => {
    class Main extends Reactor {
      a = new Inner(this);
      r = this.reaction({ triggers: this.a.out.channel(1), effects: this.a.in.channel(1) }, () => {
        t.deepEqual(this.a.out.present(), [1]);
        this.a.in.set(1, this.a.out.get(1));
        body(this);
      });
    }
    t.throws(() => runFast(new Main()), { message: messages[i] });
  });
});
