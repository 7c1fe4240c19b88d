// Reactors: Savina's PingPong, Lingua Franca's TimeLimit, libcsp's sum, a graph of a million
// channels, and the cost of an event by the number of pending ones. Rows "library, locked down" are
// the same as "library" with the prototypes frozen, as in a vat; "vat" is a vat of its own, "vats"
// two of them, under transcript and activity hash (run-vats.js); rows "peer" are reactor-ts,
// compared with ours of the same size.

import { createHash } from 'node:crypto';
import { spreadOf } from '#measure';
import { ask } from '../process.js';
import { providePeer } from './peer.js';

/** @import { Figure } from '#measure' */
/** @import { Suite } from '../suite.js' */
/** @import { RunOptions, RunResult } from './run.js' */

const module = new URL('run.js', import.meta.url);
const vatModule = new URL('run-vats.js', import.meta.url);

/**
 * @typedef {RunOptions & { name: string, unit: string, per?: number, skip?: number, memory?:
 *   boolean, isInVats?: boolean }} Row `per`: the unit is this part of a run; `skip`: the number of
 *   uncounted first turns
 */

/**
 * Programs of reactor-ts, and ours of the same size. It is slow, so some have smaller sizes.
 *
 * @type {(small: boolean) => Row[]}
 */
const peerRows = small => {
  const count = small ? 1_000 : 1_000_000;
  const common = { size: count, turns: small ? 1 : 4, skip: small ? 0 : 1, unit: 'ms' };
  return [
    {
      ...common,
      name: `peer/reactor-ts/pingpong, ${count} pings`,
      program: 'pingpong',
      isPeer: true,
    },
    { ...common, name: `library/timelimit, ${count + 2} events`, program: 'timelimit' },
    {
      ...common,
      name: `peer/reactor-ts/timelimit, ${count + 2} events`,
      program: 'timelimit',
      isPeer: true,
    },
  ];
};

/** @type {(small: boolean) => Row[]} */
const rows = small => {
  const part = small ? 1000 : 1;
  const turns = small ? 1 : 10;
  const skip = small ? 0 : 2;
  const pings = 1_000_000 / part;
  const events = 10_000_000 / part;
  const high = 10_000_000 / part;
  const width = small ? 20 : 1_000;
  /** @type {Row[]} */
  const both = [
    { name: `pingpong, ${pings} pings`, unit: 'ms', program: 'pingpong', size: pings, turns, skip },
    {
      name: `timelimit, ${events + 2} events`,
      unit: 'ms',
      program: 'timelimit',
      size: events,
      turns: Math.min(turns, 5),
      skip: Math.min(skip, 1),
    },
    {
      name: `sum(0, ${high})`,
      unit: 'ms',
      program: 'sum',
      size: high,
      turns: Math.min(turns, 4),
      skip: Math.min(skip, 1),
      memory: true,
    },
  ];
  const pendings = small ? [1, 1_000] : [1, 1_000, 1_000_000];
  return [
    ...both.map(row => ({ ...row, name: `library/${row.name}` })),
    ...both.map(row => ({ ...row, name: `library, locked down/${row.name}`, isLocked: true })),
    ...both.map(row => ({
      ...row,
      name: `vat/${row.name}`,
      isInVats: true,
      // A sum is one crank.
      isSame: row.program !== 'sum',
    })),
    {
      name: `vats/pingpong, each of ${pings / 10} pings`,
      unit: 'ns',
      per: pings / 10,
      program: 'pingpongBetween',
      size: pings / 10,
      turns,
      skip: Math.min(skip * 2, 4),
      isInVats: true,
      isSame: true,
    },
    {
      name: `library/assemble ${width * width} channels`,
      unit: 'ms',
      program: 'assemble',
      size: width,
      turns: 1,
      memory: true,
    },
    ...[10, width].map(size => ({
      name: `library/a tag that touches ten of ${size * size} channels`,
      unit: 'ns',
      per: 10_000,
      program: 'connected',
      size,
      turns,
      skip,
      isSame: true,
    })),
    ...pendings.map(size => ({
      name: `library/an event, ${size} pending`,
      unit: 'ns',
      per: 200_000,
      program: 'pending',
      size,
      turns,
      skip,
      isSame: true,
    })),
  ];
};

/** @type {Suite} */
export default {
  about:
    'reactors as a library and in vats: PingPong, TimeLimit, sum, a million channels, pending events',
  async run({ small }) {
    const hash = createHash('sha256');
    /** @type {Figure[]} */
    const figures = [];
    const peers = (await providePeer(!small)) ? peerRows(small) : [];
    /** @type {Map<string, unknown>} the results of ours */
    const answers = new Map();
    for (const row of [...rows(small), ...peers]) {
      const { name, unit, per = 1, skip = 0, memory = false, isInVats = false, ...options } = row;
      // A graph is assembled once per process, so its time is that of a cold start. The time of a
      // run in vats varies by a tenth between processes, since V8 compiles it differently.
      const isCold = options.program === 'assemble';
      const processes = small ? 1 : isCold ? 5 : isInVats && options.isSame ? 3 : 1;
      /** @type {RunResult[]} */
      const results = [];
      for (let i = 0; i < processes; i += 1)
        results.push(await ask(isInVats ? vatModule : module, options));
      const values = results.flatMap(({ ms }) => ms.slice(skip));
      const scale = unit === 'ns' ? 1e6 / per : 1;
      const params = { size: options.size, turns: options.turns };
      figures.push({ name, unit, ...spreadOf(values.map(ms => ms * scale)), params });
      if (memory) {
        const peaks = results.map(({ peakMb }) => peakMb);
        figures.push({ name: `${name}, peak memory`, unit: 'MB', ...spreadOf(peaks), params });
      }
      const { answer } = results[0];
      const key = `${options.program} ${options.size}`;
      if (!peers.includes(row)) {
        hash.update(`${name} ${JSON.stringify(answer)}\n`);
        if (!isInVats) answers.set(key, answer);
      } else if (options.isPeer) {
        const ours = answers.get(key);
        if (answer !== ours) throw Error(`${name} computed ${answer}, and ours ${ours}`);
      } else {
        answers.set(key, answer);
      }
    }
    return { figures, digest: hash.digest('hex') };
  },
};
