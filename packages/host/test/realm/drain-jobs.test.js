import test from 'ava';
import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';

import { drainVariable, probeDrain } from '#host/engine/drain-jobs.js';

const drainUrl = new URL('../../engine/drain-jobs.js', import.meta.url).href;
const lockdownUrl = new URL('../../../loader/lockdown.js', import.meta.url).href;

/**
 * Run `body` from a macrotask, where cranks run.
 *
 * @param {() => unknown} body
 */
const fromMacrotask = body =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      // An error of an asynchronous body comes as its rejection.
      try {
        Promise.resolve(body()).then(resolve, reject);
      } catch (error) {
        reject(error);
      }
    });
  });

/** @param {number} turns @param {() => void} done */
const countTurns = (turns, done) => {
  const chain = async () => {
    for (let i = 0; i < turns; i += 1) await null;
    done();
  };
  void chain();
};

test('the probe finds the quick way on this Node, from a module or an async function', async t => {
  const { kind } = await probeDrain({ env: {} });
  t.is(kind, 'tickCallback');
});

test('the fallback is chosen by an option or by the environment', async t => {
  t.is((await probeDrain({ force: 'immediate' })).kind, 'immediate');
  t.is((await probeDrain({ env: { [drainVariable]: 'immediate' } })).kind, 'immediate');
  t.is((await probeDrain({ env: { [drainVariable]: '' } })).kind, 'tickCallback');
});

for (const force of /** @type {const} */ ([undefined, 'immediate'])) {
  const way = force ?? 'tickCallback';

  test(`${way}: a chain of 1,000 awaits is drained`, async t => {
    const { drain, kind } = await probeDrain({ force, env: {} });
    await fromMacrotask(async () => {
      let done = false;
      countTurns(1_000, () => {
        done = true;
      });
      t.false(done);
      const waiting = drain();
      if (kind === 'tickCallback') t.true(done, 'before drain() returns');
      await waiting;
      t.true(done);
    });
  });

  test(`${way}: jobs that start jobs, across promises and ticks, are drained`, async t => {
    const { drain } = await probeDrain({ force, env: {} });
    await fromMacrotask(async () => {
      /** @type {string[]} */
      const seen = [];
      countTurns(3, () => {
        seen.push('chain');
        process.nextTick(() => {
          seen.push('tick');
          countTurns(10, () => {
            seen.push('chain of the tick');
            Promise.all([Promise.resolve(1), new Promise(r => process.nextTick(r))]).then(() => {
              seen.push('all');
            });
          });
        });
      });
      await drain();
      t.deepEqual(seen, ['chain', 'tick', 'chain of the tick', 'all']);
    });
  });

  test(`${way}: a promise that nobody settles does not keep drain() waiting`, async t => {
    const { drain } = await probeDrain({ force, env: {} });
    await fromMacrotask(async () => {
      let reached = false;
      void (async () => {
        await new Promise(() => {});
        reached = true;
      })();
      await drain();
      t.false(reached);
    });
  });

  test(`${way}: later macrotasks are not run`, async t => {
    const { drain, kind } = await probeDrain({ force, env: {} });
    await fromMacrotask(async () => {
      let timer = false;
      setTimeout(() => {
        timer = true;
      }, 0);
      const waiting = drain();
      if (kind === 'tickCallback') t.false(timer);
      await waiting;
      t.pass();
    });
  });

  test(`${way}: a promise rejected with nobody listening goes to the policy and ends nothing`, t => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `
        import { probeDrain } from ${JSON.stringify(drainUrl)};
        import { installRejectionPolicy } from ${JSON.stringify(lockdownUrl)};
        const { drain } = await probeDrain({ force: ${JSON.stringify(force)}, env: {} });
        const seen = [];
        let crank = 0;
        installRejectionPolicy(reason => { seen.push([crank, reason.message]); });
        // Each crank from a macrotask of its own.
        const run = job => new Promise(resolve => {
          setImmediate(() => { crank += 1; job(); Promise.resolve(drain()).then(resolve); });
        });
        await run(() => { Promise.resolve().then(() => { throw Error('lost'); }); });
        let late;
        await run(() => { late = Promise.reject(Error('late')); });
        // A listener that comes a crank later is no reason for a warning.
        await run(() => { late.catch(() => {}); });
        console.log(JSON.stringify(seen));
        `,
      ],
      { encoding: 'utf8' },
    );
    t.is(stderr, '');
    t.is(status, 0);
    t.deepEqual(JSON.parse(stdout), [
      [1, 'lost'],
      [2, 'late'],
    ]);
  });
}

test('a worker thread settles in the quick way too', async t => {
  const worker = new Worker(
    `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(drainUrl)}).then(async ({ probeDrain }) => {
      const { drain, kind } = await probeDrain({ env: {} });
      setImmediate(() => {
        let done = false;
        (async () => { for (let i = 0; i < 100; i += 1) await null; done = true; })();
        drain();
        parentPort.postMessage({ kind, done });
      });
    });
    `,
    { eval: true },
  );
  const answer = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  t.deepEqual(answer, { kind: 'tickCallback', done: true });
  await worker.terminate();
});
