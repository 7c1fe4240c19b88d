// Vats share parts of the library, but nothing that one could change for another.

import '#testkit/lockdown.js';
import test from 'ava';

/**
 * All that can be reached from an object by its fields, prototypes, accessors and collections.
 *
 * @param {object} from
 * @returns {Map<object, string>} with a way to each
 */
const findReachable = from => {
  /** @type {Map<object, string>} */
  const found = new Map();
  /** @param {any} value @param {string} path */
  const visit = (value, path) => {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return;
    if (found.has(value)) return;
    found.set(value, path);
    visit(Object.getPrototypeOf(value), `${path}.__proto__`);
    for (const key of Reflect.ownKeys(value)) {
      const at = `${path}.${String(key)}`;
      const { get, set } = /** @type {any} */ (Object.getOwnPropertyDescriptor(value, key));
      visit(get, `get ${at}`);
      visit(set, `set ${at}`);
      try {
        visit(value[key], at);
      } catch {
        // An accessor of a prototype.
      }
    }
    if (value instanceof Map)
      for (const [key, item] of value) {
        visit(key, `${path} key`);
        visit(item, `${path} item`);
      }
    if (value instanceof Set) for (const item of value) visit(item, `${path} item`);
  };
  visit(from, 'main');
  return found;
};

test('reactors of two vats have nothing in common but what is frozen', async t => {
  const { forVats, VatReactor, vatClasses } = await import('#reactor');
  harden([vatClasses, forVats]);
  /** As the module of a vat does, with classes of its own. */
  const makeVat = () => {
    const { Reactor, interleaved, Args, Triggers } = forVats;
    class Child extends Reactor {
      in = this.input();
      out = this.output();
      n = this.state(0);
      r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set({}));
    }
    class Main extends Reactor {
      one = this.mode({ initial: true });
      two = this.mode();
      tick = this.timer(0, '1 ms');
      later = this.action();
      late = this.physicalAction({ minSpacing: '1 ms' });
      in = this.input();
      ins = this.inputs(3);
      out = this.output();
      outs = this.outputs(2);
      delayed = new Child(this);
      direct = new Child(this);
      child = this.transient(Child, ['out']);
      wide = this.bank(3, Child);
      effect = this.writable(this.out);
      mixed = interleaved(this.wide.port('in'));
      lists = [new Triggers(this.tick), new Args(this.tick)];
      r0 = this.reaction(
        {
          triggers: this.tick,
          effects: [this.child, this.wide.port('in'), this.out, this.outs, this.later],
          deadline: '1 ms',
          late: () => {},
        },
        () => {
          this.child.spawn({});
          this.out.set({});
          this.outs.channel(1).set({});
          this.later.schedule(5);
          for (const { in: one } of this.wide) one.set(1);
        },
      );
      r1 = this.reaction(
        { mode: this.one, triggers: this.wide.port('out'), effects: this.two.reset },
        () => this.two.reset.set(),
      );
      r2 = this.reaction({ triggers: [this.startup, this.shutdown, this.child.out] }, () => {});
      r3 = this.mutation({ triggers: this.tick }, () => {
        this.extra = new Child(this);
      });

      constructor() {
        super();
        this.connect(this.in, this.delayed.in, { after: '1 ms' });
        this.connect(this.ins.channel(0), this.direct.in, { mode: this.one });
        this.addReaction([this.later], [this.writable(this.late)], late => late.schedule());
      }
    }
    const main = new Main();
    const vat = new VatReactor(main, {
      clock: { nowNs: () => 5, isLate: () => false },
      timeNs: 0,
      microstep: 0,
      prepareValue: value => void harden(value),
    });
    for (let i = 0; i < 4; i += 1) {
      vat.rest();
      vat.runOwn(vat.nextTimeNs, vat.nextMicrostep, 0);
    }
    return findReachable(main);
  };
  const one = makeVat();
  const other = makeVat();
  const shared = [...one].filter(([value]) => other.has(value) && !Object.isFrozen(value));
  t.deepEqual(
    shared.map(([, path]) => path),
    [],
  );
  t.true(one.size > 300);
});
