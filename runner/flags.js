// All flags. Those of SwingSet's runner keep their names.

import { count, duration, file, inGroup, toggle, wholeNumber, workerCount } from './flag-forms.js';

/** @import { FlagTable } from './flag-forms.js' */

/** Flags of every command. */
export const commonFlags = inGroup('Output:', {
  json: toggle('print the result as JSON, alone on standard output'),
  quiet: toggle('print results and problems only; the report of a run only with --stats'),
});

/** Flags of the config and of its state. */
const stateFlags = inGroup('State:', {
  config: file("a swingset config, instead of the directory's own"),
  profile: {
    type: 'string',
    choices: ['current', '2020-09'],
    describe: 'the policies of the kernel',
  },
  indirect: toggle('make the vats during the run, by a launcher vat'),
  lenient: toggle(
    'pass objects of methods without a Far() declaration, as vats of 2020 did; profile current refuses them by default, as SwingSet does',
  ),
  init: toggle('start afresh, and discard the existing state'),
  resume: toggle('continue the existing state'),
  'end-diverging': toggle(
    'with --resume: end a vat that diverges from its transcript, and continue with the others',
  ),
  lmdb: toggle('keep the state in LMDB (the default)'),
  memdb: toggle('keep the state in memory only'),
  dbdir: file('the directory of the state'),
  outdir: file('the output directory; swingset-out/NAME by default'),
  durability: {
    type: 'string',
    choices: ['commit', 'group', 'none'],
    default: 'commit',
    describe:
      'when a block is on disk: before the next block, soon and in order, at the next checkpoint',
  },
  keepawake: toggle(
    'keep the core awake while a commit waits for the disk: less waiting, more processor time',
  ),
});

/** Flags of running cranks. */
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
      "the number of threads for vats beside the main one, or auto: as many as gain; by default the config's number, or 0",
  },
  realtime: toggle('wait for physical time; otherwise logical time jumps to the next event'),
  until: duration('until', 'stop before logical time exceeds this, as "10 s"'),
  'max-cranks': count('max-cranks', 1, 'end the run as failed after this number of cranks in all'),
  'max-microsteps': count(
    'max-microsteps',
    1,
    'end the run as failed after this number of microsteps of one instant',
  ),
  'max-crank-time': duration(
    'max-crank-time',
    'end the run as failed when a crank takes longer than this, as "30 s"',
    '100 ms',
  ),
  'allow-pending': toggle(
    'do not fail the run if the promise of bootstrap or of a round never settles',
  ),
  'allow-failed-vats': toggle('do not fail the run if a vat of the config fails or does not start'),
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
  logall: toggle('log all of these (the default of run)'),
  logtag: file('the TAG in the name of the stats file: stats-TAG.tsv'),
});

const zerosFlag = toggle('also show counters of the report that stayed 0');

/** Flags of the output, beside the stats file. */
const outputFlags = inGroup('Output:', {
  stats: toggle('print the report'),
  zeros: zerosFlag,
  statsfile: file('write the report to this file, as JSON; - is standard output'),
  vatlog: file("write the vats' output to this file, unchanged; - is standard output"),
  verbose: toggle("show the vats' output, with their names"),
  activityhash: toggle('print the activity hash'),
  'cpu-profile-output': file('write a CPU profile of the engine to this file'),
  'heap-profile-output': file('write an allocation profile of the engine to this file'),
});

/** The database that a command reads. @type {import('yargs').PositionalOptions} */
export const databasePositional = {
  type: 'string',
  describe: 'a database, the output directory of a run, or the directory of its vats',
};

const rawFlag = toggle('dump keys and values as they are stored');

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
      'for figures: fail with exit code 1 if one is significantly worse, and by more than this number of per cent',
  },
});

/** Flags of `slog`. */
export const slogFlags = inGroup('Which cranks:', {
  vat: file('only of this vat, by name or id'),
  method: file('only those that deliver or send this method'),
  promise: file(
    'only those that deliver, resolve or await this promise, as kp42, or have it as a result',
  ),
  cranks: file('only these numbers: 17, 10-20, 10-, -20'),
  follow: count(
    'follow',
    0,
    'show the causes of this crank, from the first one on, and its effects',
  ),
  depth: { ...count('depth', 1, 'with --follow: the number of steps forward'), default: '6' },
  brief: toggle('one line for each crank, without its system calls'),
});

const forceFlag = toggle('replace an existing file or state');

/** Flags of `init`. */
export const initFlags = {
  template: {
    .../** @type {object} */ (file('the template: vats, reactors, contract or typescript')),
    default: 'vats',
  },
};

/** Flags of `export`. */
export const exportFlags = {
  force: forceFlag,
  local: toggle('include data that may differ between equal runs: times, paths, the machine'),
};

/** Flags of `import`. */
export const importFlags = { force: forceFlag, dbdir: stateFlags.dbdir };

/** Flags that observe a run, crank by crank. */
const watchFlags = inGroup('Looking inside:', {
  slog: file('write each crank to this file, as a line of JSON'),
  trace: file(
    'write a trace to this file, for ui.perfetto.dev; .pftrace is its own format, else JSON',
  ),
  dump: toggle('write a dump of the tables after each crank'),
  dumpdir: file('the directory of dumps; the output directory by default'),
  dumptag: file('the TAG in the names of dumps: dump.TAG0000123'),
  raw: rawFlag,
  audit: toggle('check all tables after each crank, and end the run at the first difference'),
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
    describe: 'the name of a run in the legend; once for each file',
  },
  title: file('the title, instead of the default'),
  x: {
    type: /** @type {const} */ ('string'),
    requiresArg: true,
    describe: 'the unit of the horizontal axis: block, time or share (of the run)',
  },
  per: {
    type: /** @type {const} */ ('string'),
    requiresArg: true,
    describe: 'the divisor of times and cycles: block or crank',
  },
};

export const diagramFlags = {
  out: {
    ...file(
      'the file to write: .html, .svg, .png, .pdf, .mmd, .md or .json; without it, Mermaid is printed',
    ),
    alias: 'o',
  },
  banks: toggle('draw each member of a bank, instead of one for many'),
  objects: toggle('draw vats and their objects, even if the swingset has reactors'),
  benchmark: count(
    'benchmark',
    0,
    'for vats and their objects: the number of rounds to run before drawing; none by default',
  ),
};

/** @param {string} value */
const splitList = value => value.split(',').map(part => part.trim());

/** Flags of `bench snapshot`. */
export const snapshotFlags = inGroup('What is run:', {
  demo: {
    type: 'string',
    requiresArg: true,
    describe: 'only these demos: pingpong,exchange,swap',
    coerce: value => (value === undefined ? undefined : splitList(String(value))),
  },
  rounds: {
    type: 'string',
    requiresArg: true,
    describe: 'only runs of these numbers of rounds: 100,1000',
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
    describe: 'only these programs, by their folders in demos/savina: big,fib',
    coerce: value => (value === undefined ? undefined : splitList(String(value))),
  },
  threads: {
    type: 'string',
    requiresArg: true,
    describe: 'numbers of threads, one after the other: 1,2; 1 by default',
    coerce: wholeNumbers('threads', 1),
  },
  iterations: count(
    'iterations',
    3,
    'the number of iterations; the first two do not count; 32 by default',
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
      'when a block is on disk: before the next block, soon and in order, at the next checkpoint (the default)',
  },
  outdir: file('the output folder; if it has a part of the results, the rest is run'),
  init: toggle('start afresh, and discard existing results'),
});

/** Flags of `report`. */
export const reportFlags = {
  growth: toggle(
    'fit the figures of a stats file against its rounds, and show which vat holds what in a database',
  ),
  parallelism: toggle('estimate from a slog what threads could gain'),
  zeros: zerosFlag,
};

/** The number of rounds, of `run`. */
export const benchmarkFlag = count(
  'benchmark',
  0,
  'rounds of the benchmark; by default 100 if the bootstrap vat has runBenchmarkRound()',
);

/** A flag of `run`. */
export const watchFlag = toggle('run again whenever a source of the directory changes');

/** A flag of `run`. */
export const initonlyFlag = toggle('make the state, and run nothing');

/** A flag of `run`. @type {import('yargs').Options} */
export const graphsFlag = {
  type: 'boolean',
  default: true,
  describe: 'draw graphs of time, memory and disk',
};

/** The number of cranks, of `batch`. */
export const batchFlag = { ...count('batchsize', 1, 'cranks to run'), default: '200' };

/** Flags of `bench ipc`. */
export const ipcFlags = inGroup('Of bench ipc:', {
  calls: count('calls', 1_000, 'calls of each kind; 50000 by default'),
  parallel: toggle('also make calls on 1 to all cores at once'),
  cores: count('cores', 1, 'with --parallel: the largest number of cores'),
  core: count('core', 0, 'pin the measuring thread to this core'),
  dir: file('the directory of the measured databases; by default that of temporary files'),
  format: {
    type: 'string',
    choices: ['text', 'markdown', 'json'],
    describe: 'the format to print, text by default; files are written in all formats',
  },
  graphs: toggle('draw the results (the default)'),
});

const connectionFlags = inGroup('Cluster:', {
  cluster: {
    ...file('the NATS servers, as nats://localhost:4222, separated by commas'),
    demandOption: true,
  },
  run: { ...file('the name of the run'), demandOption: true },
  creds: file('a file with the credentials of this role'),
  nkey: file('a file with the seed of the nkey of this role'),
  'tls-ca': file(
    "a file with the certificate of the authority that signed the servers' certificates",
  ),
  'tls-cert': file('a file with the certificate of this role, if the servers ask for one'),
  'tls-key': file('a file with the key of that certificate'),
});

/** Flags of all commands that take part in a run over several machines. */
export const clusterFlags = connectionFlags;

/** Bound on the hosts of one machine: each is a process of its own and takes some 100 MB. */
const mostLocalHosts = 64;

const threadsFlag = count('threads', 1, 'threads of a host; by default one less than its cores');
const twinsFlag = {
  ...count('twins', 1, 'the number of hosts that run each vat; their results are compared'),
  default: '1',
};

/** Flags of a run that is led: by `lead`, or on this machine by `cluster`. */
const ledFlags = {
  ...inGroup('Running:', {
    config: stateFlags.config,
    profile: stateFlags.profile,
    benchmark: benchmarkFlag,
    blocksize: blockFlags.blocksize,
    twins: twinsFlag,
    lease: {
      ...duration('lease', 'the time after which a silent leader or host counts as dead'),
      default: '3s',
    },
    'host-patience': duration(
      'host-patience',
      'the longest that a host may take for one delivery; by default without limit',
      '1s',
    ),
  }),
  verbose: outputFlags.verbose,
};

/** Flags of `lead`. */
export const leadFlags = {
  ...ledFlags,
  ...inGroup('Cluster:', {
    name: file('the name of this leader; by default that of the machine'),
    standby: toggle('follow the run, and lead it when its leader has failed'),
    hosts: {
      ...count(
        'hosts',
        0,
        'the number of hosts to wait for before the vats are placed; 0: no hosts',
      ),
      default: '1',
    },
    replicas: count('replicas', 1, 'the number of servers that copy a new log; 1 by default'),
  }),
  dbdir: file('keep a copy of the state in this directory; by default in memory'),
};

/** Flags of `host`. */
export const hostFlags = inGroup('Cluster:', {
  name: file('the name of this host; by default that of the machine'),
  patience: duration('patience', 'the time to wait for a leader; by default for ever'),
  threads: threadsFlag,
});

/** Flags of `status`. */
export const statusFlags = inGroup('Output:', {
  page: file('write a page to this file, as HTML'),
  serve: count(
    'serve',
    0,
    'serve a page that refreshes itself, at this port of this machine; 0: any free port',
    65_535,
  ),
});

/** Flags of `cluster`. */
export const localClusterFlags = {
  ...ledFlags,
  ...inGroup('Cluster:', {
    hosts: {
      ...count('hosts', 1, 'processes for vats beside the leader', mostLocalHosts),
      default: '2',
    },
    threads: threadsFlag,
    server: file('the program nats-server; by default the one on the PATH'),
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
