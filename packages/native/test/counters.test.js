import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { UserError } from '#model';
import { explainCounter } from '../explain-counter.js';
import { hardwareCounterNames, openClock, openCounters } from '../index.js';
import { prebuiltDir } from '../load-addon.js';
import { nameArmCore } from '../processor-name.js';

const temporary = fs.mkdtempSync(join(tmpdir(), 'swingset-native-'));
test.after.always(() => fs.rmSync(temporary, { recursive: true, force: true }));

const ownFile = `${process.platform}-${process.arch}.node`;
const isPrebuilt = fs.existsSync(join(prebuiltDir, ownFile));
const ifPrebuilt = isPrebuilt ? test : test.skip;
const ifLinux = isPrebuilt && process.platform === 'linux' ? test : test.skip;

const hasCompiler = (() => {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** @param {string} name @param {(dir: string) => void} [spoil] */
const copyPrebuilt = (name, spoil) => {
  const dir = join(temporary, name);
  fs.cpSync(prebuiltDir, dir, { recursive: true });
  spoil?.(dir);
  return dir;
};

const noCompiler = { compiler: ['no-such-compiler'], cacheDir: join(temporary, 'none') };

ifPrebuilt('the prebuilt addon of this system is loaded', t => {
  const { origin, notice, timer, processor } = openCounters();
  t.is(origin, 'prebuilt');
  t.is(notice, undefined);
  t.is(timer.name, process.arch === 'arm64' ? 'cntvct_el0' : 'tsc');
  t.true(timer.hz > 1e6 && timer.hz < 1e11, String(timer.hz));
  t.regex(processor, /\w/);
});

for (const [kind, options] of /** @type {const} */ ([
  ['the addon', undefined],
  ['JavaScript', { ...noCompiler, dir: temporary }],
])) {
  test(`${kind}: mark adds records one behind the other, and leaves out what has no room`, t => {
    const { makeMark } = openCounters(options);
    const array = new Float64Array(4);
    const mark = makeMark(array);
    mark();
    t.is(array[0], 0, 'not begun');
    t.deepEqual([...array.subarray(1)], [0, 0, 0]);
    array[0] = 1;
    for (let i = 0; i < 5; i += 1) t.is(mark(), undefined);
    t.is(array[0], 4);
    const [, first, second, third] = array;
    t.true(first >= 0 && second >= first && third >= second);
    for (const strange of [NaN, Infinity, -1, 0.5, 1e300]) {
      const before = [...array.subarray(1)];
      array[0] = strange;
      mark();
      t.deepEqual([...array.subarray(1)], before, String(strange));
    }
  });
}

ifPrebuilt('the clock counts nanoseconds of the timer, and never goes back', t => {
  const { clock } = openClock();
  t.is(clock?.name, process.arch === 'arm64' ? 'cntvct_el0' : 'tsc');
  const { nowNs } = clock ?? t.fail();
  const { bigint: time } = process.hrtime;
  const beforeFirst = time();
  const first = nowNs();
  const afterFirst = time();
  let last = first;
  while (time() - afterFirst < 5_000_000n) {
    const now = nowNs();
    if (now < last) t.fail('went back');
    last = now;
  }
  const beforeEnd = time();
  const end = nowNs();
  const afterEnd = time();
  // Not a time but a unit: however long the process was interrupted, the readings lie between those of Node's clock.
  const least = Number(beforeEnd - afterFirst);
  const most = Number(afterEnd - beforeFirst);
  t.true(end - first > 0.5 * least, `${end - first} of at least ${least}`);
  t.true(end - first < 2 * most, `${end - first} of at most ${most}`);
});

test('without the addon there is no clock of it, and a reason', t => {
  const { clock, reason } = openClock({ ...noCompiler, dir: temporary });
  t.is(clock, undefined);
  t.regex(reason ?? '', /^without the addon \(prebuilt: .*; compiling it with no-such-compiler: /);
});

ifPrebuilt('mark allocates nothing', t => {
  const array = new Float64Array(2);
  const mark = openCounters().makeMark(array);
  const run = () => {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 100_000; i += 1) {
      array[0] = 1;
      mark();
    }
    return process.memoryUsage().heapUsed - before;
  };
  // The engine's compiler allocates, and the collector frees, at times of their own.
  const grown = Array.from({ length: 9 }, run).sort((a, b) => Math.abs(a) - Math.abs(b));
  t.true(Math.abs(grown[0]) < 100_000, grown.join());
});

test('every hardware counter counts, or says why not', t => {
  const { hardware, makeMark } = openCounters();
  t.deepEqual(Object.keys(hardware), [...hardwareCounterNames]);
  for (const name of hardwareCounterNames) {
    const counter = hardware[name];
    const array = new Float64Array(5);
    array[0] = 1;
    if (counter.isAvailable) {
      const mark = makeMark(array, [name]);
      mark();
      mark();
      t.true(array[4] > array[2], name);
    } else {
      t.regex(counter.reason, /^[a-z].{10,}/);
      t.log(`${name}: ${counter.reason}`);
      t.throws(() => makeMark(array, [name]), {
        instanceOf: UserError,
        message: `there is no counter ${name} here: ${counter.reason}`,
      });
    }
  }
});

ifLinux('a pinned thread is on its core, and unpinned where it was', t => {
  const readCores = () =>
    /Cpus_allowed_list:\s*(\S+)/.exec(fs.readFileSync('/proc/thread-self/status', 'utf8'))?.[1];
  const { pin, unpin, cores } = openCounters();
  const before = readCores();
  const core = cores[cores.length - 1];
  pin(core);
  t.is(readCores(), String(core));
  unpin();
  t.is(readCores(), before);
});

ifLinux('a core that does not exist is told of', t => {
  const { pin, cores } = openCounters();
  for (const core of [Math.max(...cores) + 1, 4_000, 1.5]) {
    t.throws(() => pin(core), {
      instanceOf: UserError,
      message: `there is no core ${core} for this process; it may use ${cores.join(', ')}`,
    });
  }
});

ifPrebuilt('each thread has counters of its own', async t => {
  const index = new URL('../index.js', import.meta.url).href;
  const program = `
    import { parentPort } from 'node:worker_threads';
    const { openCounters } = await import(${JSON.stringify(index)});
    const array = new Float64Array(3);
    array[0] = 1;
    const counters = openCounters();
    const mark = counters.makeMark(array);
    mark();
    mark();
    parentPort.postMessage([counters.origin, array[2] > array[1]]);
  `;
  for (let i = 0; i < 2; i += 1) {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
    const said = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    t.deepEqual(said, ['prebuilt', true]);
    await worker.terminate();
  }
});

ifPrebuilt('a file that is cut off, or is another one, is not loaded', t => {
  const cut = copyPrebuilt('cut', dir => fs.truncateSync(join(dir, ownFile), 3_000));
  const other = copyPrebuilt('other', dir =>
    fs.cpSync(join(dir, 'manifest.json'), join(dir, ownFile)),
  );
  for (const dir of [cut, other]) {
    const { origin, notice, timer } = openCounters({ dir, ...noCompiler });
    t.is(origin, 'javascript');
    t.is(timer.name, 'hrtime');
    t.is(
      notice,
      `without the addon (prebuilt: ${ownFile} is not the file that was packed; install the package again; compiling it with no-such-compiler: spawnSync no-such-compiler ENOENT): time is Node's clock, and there are no counters`,
    );
  }
});

ifPrebuilt('a file of another processor is refused by the system, in one line', t => {
  const wrong = process.arch === 'x64' ? 'linux-arm64.node' : 'linux-x64.node';
  const dir = copyPrebuilt('wrong', made => {
    fs.cpSync(join(made, wrong), join(made, ownFile));
    const manifest = JSON.parse(fs.readFileSync(join(made, 'manifest.json'), 'utf8'));
    manifest.files[ownFile] = manifest.files[wrong];
    fs.writeFileSync(join(made, 'manifest.json'), JSON.stringify(manifest));
  });
  const { origin, notice } = openCounters({ dir, ...noCompiler });
  t.is(origin, 'javascript');
  t.regex(notice ?? '', /^without the addon \(prebuilt: .*; compiling it .*counters$/);
});

(hasCompiler ? test : test.skip)('where the package has no file, one is compiled, once', t => {
  const options = { dir: temporary, cacheDir: join(temporary, 'cache'), compiler: ['cc'] };
  const { origin, notice, timer } = openCounters(options);
  t.is(origin, 'compiled');
  t.is(
    notice,
    `the addon was compiled here (prebuilt: the package has none for ${ownFile.slice(0, -5)})`,
  );
  t.not(timer.name, 'hrtime');
  const files = fs.readdirSync(options.cacheDir);
  t.is(files.length, 1);
  t.is(openCounters({ ...options, compiler: ['no-such-compiler'] }).origin, 'compiled');
  t.deepEqual(fs.readdirSync(options.cacheDir), files);
});

test('a compiler that refuses is quoted', t => {
  const dir = join(temporary, 'refuses');
  const { origin, notice } = openCounters({
    dir: temporary,
    cacheDir: dir,
    compiler: [
      process.execPath,
      '-e',
      'console.error("fatal error: no luck"); process.exit(1)',
      '--',
    ],
  });
  t.is(origin, 'javascript');
  t.regex(notice ?? '', /fatal error: no luck\)/);
  t.deepEqual(fs.readdirSync(dir), []);
});

test('a Node without the level of Node-API that the addon needs goes on without it', t => {
  const { origin, notice } = openCounters({ level: 6 });
  t.is(origin, 'javascript');
  t.regex(notice ?? '', /this Node has level 6 of Node-API, and the addon needs 8/);
});

test('without the addon there is no pinning and no counter, and both say why', t => {
  const { hardware, pin, cores } = openCounters({ level: 6 });
  t.deepEqual(cores, []);
  t.throws(() => pin(0), {
    instanceOf: UserError,
    message: 'a thread cannot be held on a core: the addon is not loaded',
  });
  t.deepEqual(hardware.cycles, { isAvailable: false, reason: 'the addon is not loaded' });
});

test('why a counter is missing is told by the error of the system and what it allows', t => {
  const linux = { platform: 'linux', isVirtual: false, paranoid: '2' };
  t.is(
    explainCounter(13, { ...linux, paranoid: '4' }),
    'no permission: set kernel.perf_event_paranoid (now 4) to 2 or less',
  );
  t.is(
    explainCounter(1, linux),
    'no permission: the sandbox of this process forbids perf_event_open',
  );
  t.is(explainCounter(2, linux), 'no counter: the processor or its driver has none');
  t.is(
    explainCounter(2, { ...linux, isVirtual: true }),
    'no counter: this virtual machine hides it',
  );
  t.is(
    explainCounter(-2, { ...linux, isVirtual: true }),
    'it stands still: this virtual machine does not count',
  );
  t.is(explainCounter(38, linux), 'the system has no perf_event_open');
  t.is(explainCounter(22, linux), 'perf_event_open refuses it (error 22)');
  t.is(explainCounter(-1, { ...linux, platform: 'darwin' }), 'macOS lets no program read it');
});

test('an ARM core is known by its identification register', t => {
  t.is(nameArmCore(0x414fd0b1), 'Arm Cortex-A76');
  t.is(nameArmCore(0x413fd0c1), 'Arm Neoverse-N1');
  t.is(nameArmCore(0x51000000), 'ARM core, implementer 0x51 part 0x000');
});
