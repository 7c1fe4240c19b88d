// The package as its users get it: made by `npm pack`, installed into an empty folder, without compilers or install
// scripts, imported, type-checked, and run through `npx`.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { npmEnvironment } from '#testkit/npm-environment.js';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ stdout: string, stderr: string }>}
 */
const run = async (cwd, command, ...args) => {
  const options = {
    cwd,
    env: npmEnvironment,
    maxBuffer: 1 << 26,
    encoding: /** @type {const} */ ('utf8'),
  };
  try {
    return await promisify(execFile)(command, args, options);
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {any} */ (error);
    throw Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
};

const temporary = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'swingset-package-')));
const user = join(temporary, 'user');

/** @type {string[]} */
let packed;

test.before(async t => {
  t.timeout(300_000);
  // A copy is packed, since making the package writes types/ where TypeScript would find them.
  const copy = join(temporary, 'copy');
  const { stdout } = await run(root, 'git', 'ls-files', '-co', '--exclude-standard');
  for (const file of stdout.trim().split('\n')) {
    if (fs.existsSync(join(root, file))) fs.cpSync(join(root, file), join(copy, file));
  }
  fs.symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  await run(copy, 'npm', 'pack', '--pack-destination', temporary);
  const tarball = join(temporary, `${manifest.name}-${manifest.version}.tgz`);
  const listing = await run(temporary, 'tar', '-tzf', tarball);
  packed = listing.stdout
    .trim()
    .split('\n')
    .map(name => name.replace(/^package\//, ''));

  fs.mkdirSync(user);
  fs.writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run(user, 'npm', 'install', '--ignore-scripts', '--prefer-offline', tarball);
});

test.after.always(() => fs.rmSync(temporary, { recursive: true, force: true }));

test.serial('the package has its sources, types, demos, fonts and licences', t => {
  for (const name of [
    'package.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'runner/main.js',
    'packages/packed/files/index.json',
    'packages/packed/files/drawing/index.json',
    'packages/README.md',
    'packages/host/index.js',
    'types/packages/host/index.d.ts',
    'types/packages/reactor/index.d.ts',
    'types/packages/diagram/index.d.ts',
    'types/packages/observe/perfetto/index.d.ts',
    'types/stats/index.d.ts',
    'stats/draw/child.js',
    'stats/fonts/LICENSE.txt',
    'packages/vendored/files/LICENSES.txt',
    'packages/vendored/files/vega.cjs',
    'packages/vendored/files/compiler/compiler.cjs',
    'packages/vendored/files/compiler/LICENSES.txt',
    'packages/native/prebuilt/manifest.json',
    'packages/native/prebuilt/linux-x64.node',
    'packages/native/prebuilt/linux-arm64.node',
    'packages/native/prebuilt/darwin-x64.node',
    'packages/native/prebuilt/darwin-arm64.node',
    'packages/native/prebuilt/win32-x64.node',
    'packages/native/source/addon.c',
    'packages/measure/ipc/swingset.json',
    'packages/measure/ipc/vats/raw.js',
    'demos/pingpong/bootstrap.js',
    'demos/pingpong/README.md',
    'demos/reactors/timelimit/vats.json',
  ]) {
    t.true(packed.includes(name), name);
  }
});

test.serial('the package has no tests, fixtures or benchmarks', t => {
  const notForUsers = /(^|\/)(test|fixtures|bench|scripts|testkit|node_modules|swingset-out)\//;
  const isTest = (/** @type {string} */ name) =>
    // A template has a test of its vat, which is the user's.
    name.endsWith('.test.js') && !name.startsWith('runner/templates/');
  t.deepEqual(
    packed.filter(name => notForUsers.test(name) || isTest(name)),
    [],
  );
});

test.serial('no package of an install has an install script, of which npm and pnpm warn', t => {
  const lock = JSON.parse(fs.readFileSync(join(user, 'package-lock.json'), 'utf8'));
  t.true(Object.keys(lock.packages).length > 10);
  t.deepEqual(
    Object.keys(lock.packages).filter(name => lock.packages[name].hasInstallScript),
    [],
  );
});

test.serial('installing it brings no development dependency and compiles nothing', async t => {
  const installed = fs
    .readdirSync(join(user, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'));
  const unwanted = ['ava', 'eslint', 'typescript', 'fast-check', '@endo/bundle-source', '@babel'];
  for (const name of unwanted) {
    t.false(installed.includes(name), name);
  }
  t.deepEqual(
    installed.filter(name => /\/build\/Release\//.test(name)),
    [],
  );
});

/** Counts the packages of an install, and its megabytes, for the bounds below. @param {string} modules */
const weigh = modules => {
  const lock = JSON.parse(fs.readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  let bytes = 0;
  for (const entry of fs.readdirSync(modules, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += fs.statSync(join(entry.parentPath, entry.name)).size;
  }
  return { packages: Object.keys(lock.packages).length, megabytes: bytes / 1e6 };
};

test.serial('a plain install has at most 80 MB in 130 packages', t => {
  const { packages, megabytes } = weigh(join(user, 'node_modules'));
  t.true(packages <= 130, `${packages} packages`);
  t.true(megabytes <= 80, `${megabytes} MB`);
});

test.serial('a plain install draws in every format, with the licences of what draws', async t => {
  const stats = 'block\tsteps\tbtime\tctime\n1\t7\t200000\t9000\n2\t7\t210000\t9100\n';
  fs.writeFileSync(join(user, 'stats-a.tsv'), stats);
  for (const out of ['a.png', 'a.pdf', 'a.svg', 'a.html']) {
    const args = ['swingset-runner', 'graph', 'time', 'stats-a.tsv', '-o', out];
    await t.notThrowsAsync(run(user, 'npx', ...args));
    t.true(fs.statSync(join(user, out)).size > 2_000, out);
  }
  const licences = fs.readFileSync(
    join(user, 'node_modules/swingset-runner/packages/vendored/files/LICENSES.txt'),
    'utf8',
  );
  for (const name of ['vega', 'd3-array', 'vega-lite', 'uplot', 'elkjs', 'pdfkit', 'fontkit']) {
    t.regex(licences, new RegExp(`^${name} \\d`, 'm'), name);
  }
});

test.serial('the second package has the kernel without what draws, and runs the same', async t => {
  t.timeout(300_000);
  const made = join(temporary, 'kernel');
  await run(root, process.execPath, join(root, 'scripts/make-kernel-package.js'), made);
  await run(made, 'npm', 'pack', '--pack-destination', temporary);
  const embedder = join(temporary, 'embedder');
  fs.mkdirSync(embedder);
  fs.writeFileSync(join(embedder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarball = join(temporary, `swingset-kernel-${manifest.version}.tgz`);
  await run(embedder, 'npm', 'install', '--ignore-scripts', '--prefer-offline', tarball);
  const { packages, megabytes } = weigh(join(embedder, 'node_modules'));
  t.true(packages <= 70, `${packages} packages`);
  t.true(megabytes <= 52, `${megabytes} MB`);

  fs.cpSync(join(root, 'examples/bank'), join(embedder, 'bank'), { recursive: true });
  /** @param {string} name @param {string} cwd */
  const runBank = async (name, cwd) => {
    const program = `
      import { loadConfig, makeMemoryStore, makeSimulation } from '${name}';
      import { Program, Reactor, runFast } from '${name}/reactor';
      import '${name}/testing';
      import '${name}/swingset';
      import '${name}/swing-store';
      import '${name}/trace';
      import '${name}/internals';
      runFast(new Reactor());
      const config = loadConfig({ baseDir: ${JSON.stringify(join(embedder, 'bank'))} });
      const simulation = await makeSimulation(config, { store: makeMemoryStore() });
      simulation.start();
      const balance = await simulation.call('bank', 'balance', ['ann']);
      await simulation.stop();
      console.log(balance, simulation.activityHash());
      await simulation.close();
    `;
    fs.writeFileSync(join(cwd, 'embed.js'), program);
    return (await run(cwd, process.execPath, 'embed.js')).stdout;
  };
  const told = await runBank('swingset-kernel', embedder);
  t.regex(told, /^100n [0-9a-f]{64}$/m);
  t.is(told, await runBank('swingset-runner', user));
});

test.serial('the library runs a config from an installed package', async t => {
  const program = `
    import { loadConfig, makeMemoryStore, makeSimulation, UserError } from 'swingset-runner';
    import { Program, Reactor, outlineOf, runFast } from 'swingset-runner/reactor';
    import { svgDiagram } from 'swingset-runner/diagram';
    import { traceTo } from 'swingset-runner/trace';
    import { readStatsFile } from 'swingset-runner/stats';
    let trace = '';
    const observer = traceTo(text => (trace += text));
    if (runFast(new Reactor(), { observer }).tag !== '0ns.1') throw Error('a reactor does not run');
    if (JSON.parse(trace).length === 0) throw Error('there is no trace');
    const svg = await svgDiagram(outlineOf(new Program(new Reactor(), { fast: true })));
    if (!svg.startsWith('<svg ')) throw Error('there is no diagram');
    if (Object.isFrozen(Object.prototype)) throw Error('importing locks the realm down');
    const baseDir = 'node_modules/swingset-runner/demos/justReply';
    const simulation = await makeSimulation(loadConfig({ baseDir }), { store: makeMemoryStore() });
    const cranks = await simulation.run();
    console.log(cranks, simulation.cranks.all, typeof UserError, typeof readStatsFile);
    await simulation.close();
  `;
  fs.writeFileSync(join(user, 'program.js'), program);
  const { stdout } = await run(user, process.execPath, 'program.js');
  t.regex(stdout, /^(\d+) \1 function function$/m);
});

test.serial('a TypeScript program type-checks against it without types of Node', async t => {
  fs.writeFileSync(
    join(user, 'program.ts'),
    `
    import { loadConfig, makeMemoryStore, makeSimulation, UserError } from 'swingset-runner';
    import type { Simulation } from 'swingset-runner';
    import type { Report } from 'swingset-runner/internals';
    import { Program, Reactor, outlineOf, runFast } from 'swingset-runner/reactor';
    import type { Outline } from 'swingset-runner/reactor';
    import { svgDiagram } from 'swingset-runner/diagram';
    import { traceTo } from 'swingset-runner/trace';
    import { readStatsFile } from 'swingset-runner/stats';

    export const outline: Outline = outlineOf(new Program(new Reactor()));
    export const picture: Promise<string> = svgDiagram(outline);
    export const traced = runFast(new Reactor(), { observer: traceTo((text: string) => text) });

    class Counter extends Reactor {
      out = this.output<number>();
      tick = this.timer(0, '10 ms');
      step = this.reaction({ triggers: this.tick, effects: this.out }, () => this.out.set(1));
      // @ts-expect-error an output of numbers
      wrong = () => this.out.set('one');
    }
    export const tags: number = runFast(new Counter(), { timeout: '1 s' }).counts.tags;
    const config = loadConfig({ baseDir: 'demos/pingpong' });
    const simulation: Simulation = await makeSimulation(config, { store: makeMemoryStore() });
    export const cranks: number = await simulation.run({ blockSize: 10 });
    export const body: string | undefined = simulation.status(simulation.bootstrapResult).data?.body;
    export const up: number | undefined = simulation.counters.toRecord().syscalls.up;
    export const block: ArrayLike<number> = readStatsFile('stats.tsv').rows.block;
    export const hash = (report: Report): string => report.activityHash;
    export const error: Error = new UserError('a mistake');
    // @ts-expect-error a method's name is text
    simulation.queueToVatRoot('alice', 7);
    // @ts-expect-error there is no such profile
    await makeSimulation(config, { store: makeMemoryStore(), profile: '1999' });
    `,
  );
  const compilerOptions = {
    target: 'es2023',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
  };
  for (const resolution of [
    { module: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ]) {
    fs.writeFileSync(
      join(user, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { ...compilerOptions, ...resolution },
        files: ['program.ts'],
      }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await t.notThrowsAsync(run(user, process.execPath, tsc, '--project', user));
  }
});

test.serial(
  'every entry type-checks, its declarations too, and those for users name no any',
  async t => {
    const entries = Object.keys(manifest.exports)
      .filter(entry => manifest.exports[entry].types !== undefined)
      .map(entry => manifest.name + entry.slice(1));
    t.true(entries.length >= 10);
    // The forms of SwingSet, its store and reactor-ts are theirs; internals promise nothing.
    const isForUsers = (/** @type {string} */ entry) =>
      !/(internals|swingset|swing-store|reactor-ts)$/.test(entry);
    fs.writeFileSync(
      join(user, 'entries.ts'),
      `
    type IsAny<T> = 0 extends 1 & T ? true : false;
    type Anys<T> = {
      [K in keyof T]: IsAny<T[K]> extends true ? K
        : T[K] extends (...args: infer A) => infer R
          ? true extends IsAny<R> | IsAny<A[number]> ? K : never
          : never;
    }[keyof T];
    const never = (_names: [never]) => {};
    ${entries
      .map(
        (entry, at) => `
          import * as entry${at} from '${entry}';
          export const names${at}: string[] = Object.keys(entry${at});
          ${isForUsers(entry) ? `never([undefined as unknown as Anys<typeof entry${at}>]);` : ''}`,
      )
      .join('')}
    // @ts-expect-error so that the question can fail
    never([undefined as unknown as Anys<{ f: (x: any) => number }>]);
    `,
    );
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
    };
    fs.writeFileSync(
      join(user, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['entries.ts'] }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await t.notThrowsAsync(run(user, process.execPath, tsc, '--project', user));
  },
);

test.serial('npx runs the demo of the package in an empty folder', async t => {
  const { stdout, stderr } = await run(user, 'npx', 'swingset-runner', 'demos/pingpong');
  t.regex(stderr, /no directory "demos\/pingpong" here; running the demo of that name/);
  t.regex(stdout, /^rounds: 100 fulfilled$/m);
  t.regex(stdout, /Written to swingset-out\/pingpong/);
  const written = fs.readdirSync(join(user, 'swingset-out/pingpong'));
  for (const name of ['time.png', 'memory.png', 'disk.png', 'report.json', 'stats-pingpong.tsv']) {
    t.true(written.includes(name), name);
  }
});

test.serial(
  'the runner of the package runs its packed modules, as it would its sources',
  async t => {
    const cache = join(temporary, 'cache');
    const main = join(user, 'node_modules/swingset-runner/runner/main.js');
    /** @param {NodeJS.ProcessEnv} more */
    const runDemo = async more => {
      const args = ['demos/justReply', '--memdb', '--activityhash', '--no-graphs', '--no-stats'];
      const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
        cwd: user,
        env: { ...npmEnvironment, SWINGSET_RUNNER_CACHE_DIR: '', XDG_CACHE_HOME: cache, ...more },
      });
      return /^activity hash: \w{64}$/m.exec(stdout)?.[0];
    };
    const hash = await runDemo({ SWINGSET_RUNNER_SOURCES: '1' });
    t.truthy(hash);
    const isKept = () =>
      fs
        .readdirSync(join(cache, 'swingset-runner'), { recursive: true })
        .some(each => /packed-/.test(String(each)));
    t.false(isKept());
    t.is(await runDemo({ SWINGSET_RUNNER_SOURCES: '' }), hash);
    t.true(isKept(), 'it ran the pack, and kept its compiled code');
    t.is(await runDemo({ SWINGSET_RUNNER_SOURCES: '' }), hash);
  },
);

test.serial(
  'a project that lfc writes builds and runs over the alias package, with its tsconfig.json',
  async t => {
    const project = join(temporary, 'generated');
    fs.mkdirSync(project);
    const dependencies = {
      [manifest.name]: `file:${join(temporary, `${manifest.name}-${manifest.version}.tgz`)}`,
      '@lf-lang/reactor-ts': 'file:node_modules/swingset-runner/packages/reactor-ts/alias',
    };
    fs.writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ private: true, type: 'commonjs', dependencies }),
    );
    await run(project, 'npm', 'install', '--ignore-scripts', '--prefer-offline');
    fs.writeFileSync(
      join(project, 'once.ts'),
      `
    import { App, TimeValue, type Sched } from '@lf-lang/reactor-ts';
    class Once extends App {
      constructor() {
        super(TimeValue.msec(1), false, true);
        this.addReaction([this.startup], [], function () { console.log('started'); });
      }
    }
    export type Handle = Sched<number>;
    // @ts-expect-error so that the types can fail
    export const wrong: number = TimeValue.msec(1);
    new Once()._start();
    `,
    );
    const compilerOptions = {
      target: 'esnext',
      module: 'nodenext',
      strict: true,
      allowJs: true,
      skipLibCheck: true,
      typeRoots: [join(root, 'node_modules/@types'), join(project, 'node_modules')],
      types: ['node', '@lf-lang/reactor-ts'],
      outDir: 'dist',
      rootDir: '.',
    };
    fs.writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['once.ts'] }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await t.notThrowsAsync(run(project, process.execPath, tsc, '--project', project));
    const { stdout } = await run(project, process.execPath, 'dist/once.js');
    t.regex(stdout, /^started$/m);
  },
);
