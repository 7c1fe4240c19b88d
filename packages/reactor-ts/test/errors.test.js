// Errors that reactions throw, and mistakes in programs.

import { spawnSync } from 'node:child_process';
import test from 'ava';
import { App, InMultiPort, OutMultiPort, Reactor, TimeValue, Timer } from '../index.js';

const index = new URL('../index.js', import.meta.url).href;

/** Says each of its tags; the third one throws. */
const throwing = `
  import { App, OutPort, Reactor, TimeValue, Timer } from ${JSON.stringify(index)};
  class Source extends Reactor {
    out = new OutPort(this);
    timer = new Timer(this, 0, TimeValue.msec(2));
    constructor(parent) {
      super(parent);
      let count = 0;
      this.addReaction([this.timer], [this.writable(this.out)], out => {
        count += 1;
        out.set(count);
        if (count === 3) throw Error('three');
      });
      this.addReaction([this.timer], [], () => console.log('second', count));
    }
  }
  class Main extends App {
    source = new Source(this);

    constructor() {
      super(TimeValue.msec(8), false, false, () => console.log('success'));
      const { out } = this.source;
      this.addReaction([out], [out], port => console.log('got', port.get()));
    }
  }
  if (process.argv.includes('catch')) process.on('uncaughtException', ({ message }) => console.log(message));
  new Main()._start();
`;

/** @param {string[]} args */
const runThrowing = args => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', throwing, '--', ...args],
    { encoding: 'utf8' },
  );
  const said = stdout.split('\n').filter(line => line !== '' && !line.startsWith('ERROR'));
  return { status, said };
};

test('an error of a reaction ends the tag, and the program if nobody catches it', t => {
  const { status, said } = runThrowing([]);
  t.is(status, 1);
  t.deepEqual(said, ['got 1', 'second 1', 'got 2', 'second 2']);
});

test('a program whose host catches errors goes on with the next tag', t => {
  const { status, said } = runThrowing(['catch']);
  t.is(status, 0);
  t.deepEqual(said, [
    ...['got 1', 'second 1', 'got 2', 'second 2', 'three'],
    ...['got 4', 'second 4', 'got 5', 'second 5', 'success'],
  ]);
});

test('a program goes on after an error of its first tag that the caller of its start catches', async t => {
  /** @type {number[]} */
  const got = [];
  await new Promise(end => {
    class Main extends App {
      timer = new Timer(/** @type {any} */ (this), 0, TimeValue.msec(1));
      constructor() {
        super(TimeValue.msec(3), false, true, () => end(undefined));
        this.addReaction([this.timer], [], () => {
          got.push(got.length);
          if (got.length === 1) throw new RangeError('first');
        });
      }
    }
    t.throws(() => new Main()._start(), { instanceOf: RangeError });
  });
  t.deepEqual(got, [0, 1, 2, 3]);
});

test('a channel that a multiport does not have is refused with those that it has', async t => {
  /** @type {string[]} */
  const said = [];
  await new Promise(end => {
    class Main extends App {
      out = new OutMultiPort(/** @type {any} */ (this), 2);
      none = new InMultiPort(/** @type {any} */ (this), 0);
      constructor() {
        super(undefined, false, true, () => end(undefined));
        const note = (/** @type {() => void} */ act) =>
          said.push(String(t.throws(act, { instanceOf: RangeError })?.message));
        this.addReaction(
          [this.startup],
          [this.allWritable(this.out), this.none],
          (/** @type {any} */ out, /** @type {any} */ none) => {
            note(() => out.set(2, 'c'));
            note(() => out.get(-1));
            note(() => none.get(0));
          },
        );
      }
    }
    new Main()._start();
  });
  t.deepEqual(said, [
    'main.out has no channel 2; its channels are 0 to 1',
    'main.out has no channel -1; its channels are 0 to 1',
    'main.none has no channel 0; its width is 0',
  ]);
});

test('a component without a container is refused', t => {
  for (const container of [null, undefined])
    t.throws(() => new Reactor(/** @type {any} */ (container)), {
      message: 'Cannot instantiate component without a parent.',
    });
});
