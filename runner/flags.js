// The flags. Those that SwingSet's runner had keep their names.

import { count, duration, file, inGroup, toggle, wholeNumber, workerCount } from './flag-forms.js';

/** @import { FlagTable } from './flag-forms.js' */

/** Flags of every command. */
export const commonFlags = inGroup('Output:', {
  json: toggle('print the result as JSON, alone on standard output'),
  quiet: toggle('tell nothing but results and problems'),
});

/** Flags of the program, and of where its state is. */
const stateFlags = inGroup('State:', {
  config: file('a swingset config, instead of that of the directory'),
  profile: {
    type: 'string',
    choices: ['current', '2020-09'],
    describe: 'the bookkeeping of the kernel',
  },
  indirect: toggle('make the vats while the run is on, by a vat that stands for bootstrap'),
  lenient: toggle(
    'pass objects of methods that nobody declared Far(), as vats of 2020 did; by default they are refused, as SwingSet does (profile current)',
  ),
  init: toggle('start afresh, and discard the state that is there'),
  resume: toggle('go on with the state that is there'),
  'end-diverging': toggle(
    'with --resume: end a vat that does something else than it did, alone, and go on',
  ),
  lmdb: toggle('keep the state in LMDB (the default)'),
  memdb: toggle('keep the state in memory, so that it ends with the process'),
  dbdir: file('the directory of the state'),
  outdir: file('the directory of everything written; swingset-out/NAME if left out'),
  durability: {
    type: 'string',
    choices: ['commit', 'group', 'none'],
    default: 'commit',
    describe: 'a commit is on disk: before the next block, soon and in order, whenever',
  },
  keepawake: toggle(
    'keep the core awake while a commit waits for the disk: less waiting, more processor time',
  ),
});

/** How cranks are run. */
const blockFlags = inGroup('Running:', {
  blockmode: {
    type: 'boolean',
    default: true,
    describe: 'commit after each block; --no-blockmode commits once, at the end',
  },
  blocksize: { ...count('blocksize', 1, 'cranks of a block'), default: '200' },
  workers: {
    type: 'string',
    requiresArg: true,
    coerce: workerCount,
    describe:
      'so many threads for vats beside the main one, or auto: as many as gain; what the config says, or 0',
  },
  realtime: toggle('wait for physical time; otherwise logical time leaps to the next event'),
  until: duration('until', 'stop before logical time goes beyond, as "10 s"'),
  'max-cranks': count('max-cranks', 1, 'end the run, as failed, after so many cranks in all'),
  'max-microsteps': count(
    'max-microsteps',
    1,
    'end the run, as failed, after so many microsteps of one instant',
  ),
  'max-crank-time': duration(
    'max-crank-time',
    'end the run, as failed, when a crank takes longer than that, as "30 s"',
  ),
  'allow-pending': toggle(
    'a bootstrap or a round whose promise never settles is no failure of the run',
  ),
  'allow-failed-vats': toggle(
    'a vat of the config that ends by a fault, or does not start, is no failure of the run',
  ),
  forcegc: {
    type: 'string',
    choices: ['block', 'crank'],
    describe: "run the engine's garbage collector after each block, or crank: --forcegc=crank",
  },
});

/** The stats file. */
const logFlags = inGroup('Stats file, a row a block:', {
  logtimes: toggle('log times'),
  logcycles: toggle('log cycles and instructions too, where the machine counts them'),
  logmem: toggle('log memory'),
  logdisk: toggle('log the size of the database'),
  logstats: toggle('log the counters'),
  logall: toggle('log all of these (what run does if none is given)'),
  logtag: file('names the stats file: stats-TAG.tsv'),
});

const zerosFlag = toggle('show the counters of the report that stayed 0, too');

/** Flags of the output, beside the stats file. */
const outputFlags = inGroup('Output:', {
  stats: toggle('print the report'),
  zeros: zerosFlag,
  statsfile: file('write the report to this file, as JSON; - is standard output'),
  vatlog: file('write what vats print to this file, as they print it; - is standard output'),
  verbose: toggle('show what vats print, with their names'),
  activityhash: toggle('print the activity hash'),
  'cpu-profile-output': file("write the engine's profile of the time to this file"),
  'heap-profile-output': file("write the engine's profile of allocations to this file"),
});

/** The database that a command looks at. @type {import('yargs').PositionalOptions} */
export const databasePositional = {
  type: 'string',
  describe: 'a database, the output directory of a run, or the directory of what was run',
};

const rawFlag = toggle('dump keys and values as the store has them');

/** Flags of `dump`. */
export const dumpFlags = {
  raw: rawFlag,
  dumpdir: file('write the dump to a file in this directory'),
  dumptag: file('write the dump to a file with this in its name: dump.TAG0000123'),
};

/** Flags of `compare`. */
export const compareFlags = inGroup('Output:', {
  threshold: {
    type: 'string',
    requiresArg: true,
    describe:
      'of figures: fail, with exit code 1, if one is worse by more than so many per cent and by more than chance',
  },
});

/** Flags of `slog`. */
export const slogFlags = inGroup('Which cranks:', {
  vat: file('of this vat only, by name or id'),
  method: file('that deliver or send this method'),
  promise: file('that deliver, resolve or await this promise, as kp42, or have it as a result'),
  cranks: file('of these numbers: 17, 10-20, 10-, -20'),
  follow: count('follow', 0, 'what led to this crank, from the first cause on, and what it caused'),
  depth: { ...count('depth', 1, 'with --follow: so many steps forward'), default: '6' },
  brief: toggle('a line a crank, without its system calls'),
});

const forceFlag = toggle('replace what is there');

/** Flags of `init`. */
export const initFlags = {
  template: {
    .../** @type {object} */ (file('what to begin from: vats, reactors, contract or typescript')),
    default: 'vats',
  },
};

/** Flags of `export`. */
export const exportFlags = {
  force: forceFlag,
  local: toggle('with what may differ between equal runs: times, paths, the machine'),
};

/** Flags of `import`. */
export const importFlags = { force: forceFlag, dbdir: stateFlags.dbdir };

/** Flags that observe a run crank by crank. */
const watchFlags = inGroup('Looking inside:', {
  slog: file('write what each crank does to this file, as lines of JSON'),
  trace: file(
    'write what runs when to this file, for ui.perfetto.dev; .pftrace is its own format, else JSON',
  ),
  dump: toggle('write a dump of the tables after each crank'),
  dumpdir: file('the directory of dumps; that of everything written if left out'),
  dumptag: file('names dumps: dump.TAG0000123'),
  raw: rawFlag,
  audit: toggle('recount everything after each crank, and end the run at the first difference'),
});

/** Flags of every command that runs cranks. @type {FlagTable} */
export const runningFlags = {
  ...blockFlags,
  ...stateFlags,
  ...logFlags,
  ...outputFlags,
  ...watchFlags,
};

/** Flags of `graph`. */
export const graphFlags = {
  out: { ...file('the file to write: .png, .pdf, .svg, .html or .vl.json'), alias: 'o' },
  label: {
    type: /** @type {const} */ ('array'),
    string: true,
    nargs: 1,
    describe: 'what the legend calls a run; once for each file',
  },
  title: file('the title, instead of the usual one'),
  x: {
    type: /** @type {const} */ ('string'),
    requiresArg: true,
    describe: 'what the horizontal axis counts: block, time or share (of the run)',
  },
  per: {
    type: /** @type {const} */ ('string'),
    requiresArg: true,
    describe: 'what times and cycles are divided by: block or crank',
  },
};

export const diagramFlags = {
  out: {
    ...file(
      'the file to write: .html, .svg, .png, .pdf, .mmd, .md or .json; without it, Mermaid is printed',
    ),
    alias: 'o',
  },
  banks: toggle('draw each member of a bank, instead of many as one'),
  objects: toggle('draw vats and their objects, also of a swingset that has reactors'),
  benchmark: count(
    'benchmark',
    0,
    'of vats and their objects: so many rounds run before they are drawn; none if left out',
  ),
};

/** @param {string} value */
const splitList = value => value.split(',').map(part => part.trim());

/** Flags of `bench snapshot`. */
export const snapshotFlags = inGroup('What is run:', {
  demo: {
    type: 'string',
    requiresArg: true,
    describe: 'of these demos only: pingpong,exchange,swap',
    coerce: value => (value === undefined ? undefined : splitList(String(value))),
  },
  rounds: {
    type: 'string',
    requiresArg: true,
    describe: 'of so many rounds only: 100,1000',
    coerce: value =>
      value === undefined ? undefined : splitList(String(value)).map(wholeNumber('rounds', 1)),
  },
  gc: {
    type: 'string',
    choices: ['with', 'without', 'both'],
    describe: 'runs with forced collections, without, or both (the default)',
  },
});

/** @param {string} name @param {number} least */
const wholeNumbers = (name, least) => (/** @type {unknown} */ value) =>
  value === undefined ? undefined : splitList(String(value)).map(wholeNumber(name, least));

/** Flags of `bench savina`. */
export const savinaFlags = inGroup('Of bench savina:', {
  only: {
    type: 'string',
    requiresArg: true,
    describe: 'these programs only, by their folders in demos/savina: big,fib',
    coerce: value => (value === undefined ? undefined : splitList(String(value))),
  },
  threads: {
    type: 'string',
    requiresArg: true,
    describe: 'on so many threads, one after the other: 1,2; 1 if left out',
    coerce: wholeNumbers('threads', 1),
  },
  iterations: count(
    'iterations',
    3,
    'iterations, of which the first two do not count; 32 if left out',
  ),
  mode: {
    type: 'string',
    choices: ['library', 'vat', 'vats'],
    describe: 'as a library (the default), in one vat, or in several',
  },
});

/** Flags of commands that make many runs. */
export const matrixFlags = inGroup('Running:', {
  profile: stateFlags.profile,
  durability: {
    ...stateFlags.durability,
    default: 'none',
    describe:
      'a commit is on disk: before the next block, soon and in order, whenever (the default)',
  },
  outdir: file('the folder of everything written; if it is complete in part, the rest is run'),
  init: toggle('start afresh, and discard the results that are there'),
});

/** Flags of `report`. */
export const reportFlags = {
  growth: toggle(
    'fit what a stats file counts against its rounds, and tell who keeps what in a database',
  ),
  parallelism: toggle('tell what threads could gain in the run that a slog is of'),
  zeros: zerosFlag,
};

/** The number of rounds, of `run`. */
export const benchmarkFlag = count(
  'benchmark',
  0,
  'rounds of the benchmark; 100 if left out and the bootstrap vat has runBenchmarkRound()',
);

/** A flag of `run`. */
export const watchFlag = toggle('run again whenever a source of the directory changes');

/** A flag of `run`. */
export const initonlyFlag = toggle('make the state, run nothing');

/** A flag of `run`. @type {import('yargs').Options} */
export const graphsFlag = {
  type: 'boolean',
  default: true,
  describe: 'draw time, memory and disk',
};

/** The number of cranks, of `batch`. */
export const batchFlag = { ...count('batchsize', 1, 'cranks to run'), default: '200' };

/** Flags of `bench ipc`. */
export const ipcFlags = inGroup('Of bench ipc:', {
  calls: count('calls', 1_000, 'calls of each kind; 50000 if left out'),
  parallel: toggle('also make calls on 1 to all cores at once'),
  cores: count('cores', 1, 'with --parallel: on so many cores at most'),
  core: count('core', 0, 'hold the measuring thread on this core'),
  dir: file('the directory of the databases that are measured; else that of temporary files'),
  format: {
    type: 'string',
    choices: ['text', 'markdown', 'json'],
    describe: 'what is printed, text if left out; the files have all of them',
  },
  graphs: toggle('draw the results (the default); --no-graphs does not'),
});

const connectionFlags = inGroup('Cluster:', {
  cluster: {
    ...file('the NATS servers, as nats://localhost:4222, several with commas'),
    demandOption: true,
  },
  run: { ...file('the name of the run'), demandOption: true },
  creds: file('a file with the credentials of this role'),
  nkey: file('a file with the seed of the nkey of this role'),
  'tls-ca': file("a file with the certificate of whoever signed the servers'"),
  'tls-cert': file('a file with the certificate of this role, if the servers ask for one'),
  'tls-key': file('and its key'),
});

/** Flags of all commands that take part in a run over several machines. */
export const clusterFlags = connectionFlags;

const threadsFlag = count('threads', 1, 'threads of a host; one less than its cores if left out');
const twinsFlag = {
  ...count('twins', 1, 'run each vat on so many hosts, and compare what they do'),
  default: '1',
};

/** Flags of a run that is led: by `lead`, or on this machine by `cluster`. */
const ledFlags = inGroup('Running:', {
  config: stateFlags.config,
  profile: stateFlags.profile,
  benchmark: benchmarkFlag,
  blocksize: blockFlags.blocksize,
  twins: twinsFlag,
  lease: {
    ...duration('lease', 'how long a leader or a host may be silent before it is taken for dead'),
    default: '3s',
  },
});

/** Flags of `lead`. */
export const leadFlags = {
  ...ledFlags,
  ...inGroup('Cluster:', {
    name: file('the name of this leader; that of the machine if left out'),
    standby: toggle('follow the run, and lead it when its leader is gone'),
    hosts: {
      ...count('hosts', 0, 'wait for so many hosts before the vats are placed; 0: no hosts'),
      default: '1',
    },
    replicas: count(
      'replicas',
      1,
      'servers that have a copy of the log, when it is made; 1 if left out',
    ),
  }),
  dbdir: file('keep a copy of the state in this directory; in memory if left out'),
};

/** Flags of `host`. */
export const hostFlags = inGroup('Cluster:', {
  name: file('the name of this host; that of the machine if left out'),
  patience: duration('patience', 'how long to wait for a leader; for ever if left out'),
  threads: threadsFlag,
});

/** Flags of `status`. */
export const statusFlags = inGroup('Output:', {
  page: file('write a page to this file, as HTML'),
  serve: count(
    'serve',
    0,
    'serve a page that refreshes itself, at this port of this machine; 0: any port',
  ),
});

/** Flags of `cluster`. */
export const localClusterFlags = {
  ...ledFlags,
  ...inGroup('Cluster:', {
    hosts: { ...count('hosts', 1, 'processes for vats beside the leader'), default: '2' },
    threads: threadsFlag,
    server: file('the program nats-server; the one on the PATH if left out'),
  }),
};

/** Every flag of every command. @type {FlagTable} */
const allFlags = {
  ...commonFlags,
  ...connectionFlags,
  ...leadFlags,
  ...hostFlags,
  ...statusFlags,
  ...localClusterFlags,
  ...stateFlags,
  ...blockFlags,
  ...logFlags,
  ...outputFlags,
  ...watchFlags,
  ...exportFlags,
  ...compareFlags,
  ...slogFlags,
  banks: diagramFlags.banks,
  objects: diagramFlags.objects,
  ...graphFlags,
  ...snapshotFlags,
  ...reportFlags,
  ...ipcFlags,
  ...savinaFlags,
  benchmark: benchmarkFlag,
  batchsize: batchFlag,
  initonly: initonlyFlag,
  watch: watchFlag,
  graphs: graphsFlag,
};

export const flagNames = Object.keys(allFlags);

/** Names of flags that are on or off. */
export const toggleNames = new Set(flagNames.filter(name => allFlags[name].type === 'boolean'));

/** Names of flags whose value may be the next argument. */
export const flagsWithValue = new Set([
  ...flagNames.filter(name => allFlags[name].type !== 'boolean' && name !== 'forcegc'),
  'o',
]);
