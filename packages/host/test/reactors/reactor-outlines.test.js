// Reactors in vats: outlines, resumed runs, and what a program of reactors must be.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadConfig, makeMemoryStore, makeSimulation, runRounds } from '#host';
import { audit } from '#kernel';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { refusal, run, runAll, write } from './run-reactors.js';
import { imports, source, sink } from './reactor-runs.js';

test.serial(
  'an outline has the stages, and a run that was outlined goes on as any other',
  async t => {
    const player = `${imports}
    class Player extends Reactor {
      in = this.input();
      out = this.output();
      tick = this.timer(0, '1 ms');
      start = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(1));
      pass = this.reaction({ triggers: this.in }, () => console.log(at(this), this.in.get()));
    }
    export const buildReactor = () => new Player();
  `;
    const config = write(t, {
      vats: { a: player, b: player },
      connections: [
        { from: 'a.out', to: 'b.in' },
        { from: 'b.out', to: 'a.in', after: '1 ms' },
      ],
      timeout: '3 ms',
    });
    const runOn = async (/** @type {boolean} */ isOutlined) => {
      const simulation = await makeSimulation(config, { store: makeMemoryStore() });
      const outlines = isOutlined ? await simulation.outlines() : undefined;
      const ran = simulation.cranks.all;
      await simulation.run();
      const hash = simulation.activityHash();
      await simulation.close();
      return { hash, outlines, ran };
    };
    const { outlines, hash, ran } = await runOn(true);
    t.is(ran, 2, 'the starts of the vats, and no more');
    t.is((await runOn(false)).hash, hash);
    const stages = outlines?.vats.map(({ name, outline }) => [
      name,
      ...outline.reactors[0].reactions.map(({ stage }) => stage),
    ]);
    t.deepEqual(stages, [
      ['a', 0, 0],
      ['b', 0, 1],
    ]);
    t.deepEqual(
      outlines?.connections.map(({ from, to, delayNs }) => [from.vat, to.vat, delayNs]),
      [
        ['a', 'b', null],
        ['b', 'a', 1_000_000],
      ],
    );
  },
);

test.serial(
  'the clock is asked with the tag of the crank, also while a vat runs by itself',
  async t => {
    const config = write(t, {
      vats: {
        ahead: `${imports}
        class Ahead extends Reactor {
          tick = this.timer(0, '1 ms');
          more = this.action();
          step = this.reaction({ triggers: this.tick, effects: this.more }, () => this.more.schedule(0));
          ask = this.reaction({ triggers: this.more }, () => {
            if (this.util.getElapsedLogicalTime() === 3_000_000) this.util.getElapsedPhysicalTime();
          });
        }
        export const buildReactor = () => new Ahead();
      `,
      },
      timeout: '5 ms',
    });
    /** @type {[string, number, number][]} */
    const asked = [];
    const simulation = await makeSimulation(config, {
      store: makeMemoryStore(),
      clock: { nowNs: (...question) => asked.push(question), isLate: () => false },
    });
    await simulation.run();
    t.is(asked.length, 1);
    t.deepEqual(asked[0].slice(1), [3_000_000, 1]);
    await simulation.close();
  },
);

test.serial('a value that cannot be passed ends its vat, by the name of the port', async t => {
  const { errors } = await runAll(t, {
    vats: {
      source: `${imports}
        class Source extends Reactor {
          out = this.output();
          r = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(new Map([[1, 2]])));
        }
        export const buildReactor = () => new Source();
      `,
      sink,
    },
    connections: [{ from: 'source.out', to: 'sink.in' }],
  });
  t.true(
    errors.some(line => line.includes('output out was given a value that cannot be passed')),
    errors.join('\n'),
  );
});

test.serial(
  'a vat that is made in the run has reactors too; their time is that of the run',
  async t => {
    const folder = temporaryDirectory(t, 'reactors');
    writeFileSync(
      join(folder, 'boot.js'),
      `${imports}
    let main;
    class Later extends Reactor {
      then = this.action();
      r = this.reaction({ triggers: this.then }, () => void this.then.get()());
    }
    export const buildReactor = () => (main = new Later());
    export const buildRootObject = () => Far('root', {
      async bootstrap(vats, devices) {
        const service = await E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
        main.then.schedule('7 ms', async () => {
          const { root } = await E(service).createVatByName('ticker');
          console.log(await E(root).hello());
        });
      },
    });`,
    );
    writeFileSync(
      join(folder, 'ticker.js'),
      `${imports}
    class Ticker extends Reactor {
      tick = this.timer('1 ms', '2 ms');
      n = 0;
      begin = this.reaction({ triggers: this.startup }, () => console.log(at(this), 'begin'));
      r = this.reaction({ triggers: this.tick }, () => console.log(at(this), (this.n += 1)));
      end = this.reaction({ triggers: this.shutdown }, () => console.log(at(this), 'end'));
    }
    export const buildReactor = () => new Ticker();
    export const buildRootObject = () => Far('root', { hello: () => 'hello' });`,
    );
    writeFileSync(
      join(folder, 'swingset.json'),
      JSON.stringify({
        bootstrap: 'boot',
        vats: { boot: { sourceSpec: './boot.js' } },
        bundles: { ticker: { sourceSpec: './ticker.js' } },
      }),
    );
    const simulation = await makeSimulation(loadConfig({ baseDir: folder }), {
      store: makeMemoryStore(),
      observer: { onConsole: (vat, _level, text) => void printed.push(`${vat}: ${text}`) },
    });
    /** @type {string[]} */
    const printed = [];
    await simulation.run({ untilNs: 12_000_000 });
    simulation.stopPrograms();
    await simulation.run();
    t.deepEqual(audit(simulation.kernel.state), []);
    await simulation.close();
    const begun = printed[0];
    t.regex(begun, /^ticker: 7\.\d+ begin$/);
    t.deepEqual(printed.slice(1).sort(), [
      'boot: hello',
      'ticker: 10.0 2',
      'ticker: 12.0 3',
      'ticker: 12.1 end',
      'ticker: 8.0 1',
    ]);
  },
);

test.serial(
  'under 2020-09 the error for a vat with reactors names the required profile',
  async t => {
    const config = write(t, { vats: { source } });
    const error = await t.throwsAsync(
      makeSimulation(config, { store: makeMemoryStore(), profile: '2020-09' }),
    );
    t.regex(error?.message ?? '', /reactors need --profile current/);
  },
);

test.serial('buildReactor must return a reactor', async t => {
  for (const text of ['({})', '7', 'Promise.resolve({})'])
    t.regex(
      await refusal(t, { vats: { odd: `${imports} export const buildReactor = () => ${text};` } }),
      /^vat odd did not start: .*buildReactor did not return a reactor/,
    );
});

test.serial(
  'a run that goes on for ever can be held at a time, a number of cranks or of microsteps',
  async t => {
    const endless = `${imports}
    class Endless extends Reactor {
      again = this.action();
      r = this.reaction({ triggers: [this.startup, this.again], effects: this.again }, () => this.again.schedule(0));
    }
    export const buildReactor = () => new Endless();
  `;
    const open = (/** @type {string} */ text) =>
      makeSimulation(write(t, { vats: { text } }), { store: makeMemoryStore() });
    const ticking = await open(source);
    t.is(await ticking.run({ untilNs: 1_000_000_000 }), 2 + 101);
    t.is(ticking.kernel.nextTimeNs, 1_010_000_000);
    await ticking.close();
    const going = await open(endless);
    t.is(await going.run({ maxCranks: 1234 }), 1234);
    t.deepEqual(going.kernel.now, { timeNs: 0, microstep: 1231 });
    await t.throwsAsync(runRounds(going, { maxMicrosteps: 50_000, blockSize: 1000 }), {
      message: /--max-microsteps 50000: .*next is vat "text", its reactors/,
    });
    await going.close();
  },
);

test.serial('only the vat whose reaction fails after quiet cranks ends', async t => {
  const config = write(t, {
    vats: {
      source,
      sink: `${imports}
        class Sink extends Reactor {
          in = this.input();
          later = this.timer('7 ms', '15 ms');
          r1 = this.reaction({ triggers: this.in }, () => {});
          r2 = this.reaction({ triggers: this.later }, () => { throw Error('too late'); });
        }
        export const buildReactor = () => new Sink();
      `,
    },
    connections: [{ from: ['source.out'], to: ['sink.in'], after: '20 ms' }],
    timeout: '40 ms',
  });
  const { errors, printed, hash } = await run(config);
  t.is((await run(config, { blockSize: 1 })).hash, hash);
  t.deepEqual(errors, [
    'sink: r2 failed at 7000000ns.0: too late',
    'sink: vat sink was ended: the delivery failed: r2 failed at 7000000ns.0: too late',
  ]);
  t.deepEqual(printed, ['source: 40.0 end']);
});
