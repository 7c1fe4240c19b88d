// The part that all programs share: a runner that starts an iteration when the one before has finished, and how a file
// offers its reactors to a library and to vats.

import { Reactor } from 'swingset-runner/reactor';
import { Slice } from './slice.js';

/**
 * @typedef {object} Told  what a program tells
 * @property {'starts' | 'ends' | 'result'} event
 * @property {number} iteration  from 1
 * @property {string} [text]  of a result
 */

const print = ({ event, iteration, text }) =>
  console.log(`iteration ${iteration} ${event === 'result' ? `computed ${text}` : event}`);

/** Starts iterations one after the other, and checks the result of each. */
export class Runner extends Reactor {
  start = this.output();
  finished = this.input();
  next = this.action();

  /**
   * @param {any} container
   * @param {{ iterations?: number, tell?: (told: Told) => void }} parameters
   * @param {(result: any, parameters: any) => string} check  throws for a wrong result, and puts a right one in words
   */
  constructor(container, parameters, check) {
    super(container);
    const { iterations = 1, tell = print } = parameters;
    let iteration = 0;

    this.reaction({ triggers: [this.startup, this.next], effects: this.start }, () => {
      iteration += 1;
      tell({ event: 'starts', iteration });
      this.start.set(iteration);
    });

    this.reaction({ triggers: this.finished, effects: this.next }, () => {
      tell({ event: 'ends', iteration });
      tell({ event: 'result', iteration, text: check(this.finished.get(), parameters) });
      if (iteration < iterations) this.next.schedule();
    });
  }
}

/**
 * @param {boolean} isRight
 * @param {() => string} describe  what is wrong
 */
export const insist = (isRight, describe) => {
  if (!isRight) throw Error(`wrong result: ${describe()}`);
};

/**
 * A part that is some of a bank's members: vats 0 to `of` - 1 have about as many each.
 *
 * @param {any} type  the members' class
 * @param {(parameters: any) => number} width  members of the whole bank
 * @param {[from: string, to: string][]} [peers]  multiports that lead from each member to each
 * @param {string[]} [shared]  inputs that have one value for all members, which then comes to each vat once
 */
export const slicesOf = (type, width, peers = [], shared = []) => ({
  ...{ type, width, peers, shared },
  isBank: true,
});

/**
 * A part of a row of things that its class makes itself, of those from `first` so many as `count`.
 *
 * @param {any} type
 * @param {(parameters: any) => number} width  things in the whole row
 */
export const rangesOf = (type, width) => ({ type, width, isBank: false });

/**
 * @typedef {object} SlicedPart
 * @property {any} type
 * @property {(parameters: any) => number} width
 * @property {boolean} isBank
 * @property {[from: string, to: string][]} [peers]
 * @property {string[]} [shared]
 */

/** @typedef {new (container: any, parameters: any) => Reactor} PartClass */

/**
 * Bounds of a parameter: a whole number from 1, unless they say otherwise.
 *
 * @typedef {{ from?: number, to?: number, isReal?: boolean, oneOf?: readonly unknown[] }} Bounds
 */

/** The size of anything that is counted, and of a bank: an array or a bank of more takes all memory. */
const mostCounted = 2 ** 31 - 1;
export const mostMembers = 2 ** 20;
const mostValues = 2 ** 27;

/** Bounds that several programs share. @type {Record<string, Bounds>} */
export const bounds = {
  members: { to: mostMembers },
  values: { to: mostValues },
  percent: { from: 0, to: 100 },
  seed: { from: 0 },
  bits: { to: 60 },
  real: { from: -Infinity, isReal: true },
  fromZero: { from: 0 },
};

/** @param {string} name @param {unknown} value @param {Bounds} bounds */
const insistWithin = (name, value, { from = 1, to = mostCounted, isReal = false, oneOf }) => {
  if (oneOf?.includes(value)) return;
  const got = typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
  if (oneOf !== undefined)
    throw Error(`parameter "${name}" is one of ${oneOf.join(', ')}, got ${got}`);
  const isNumber = isReal ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (isNumber && value >= from && value <= to) return;
  const range = from === -Infinity ? '' : ` from ${from} to ${to}`;
  throw Error(
    `parameter "${name}" is ${isReal ? 'a number' : 'a whole number'}${range}, got ${got}`,
  );
};

/**
 * @param {SlicedPart} part
 * @param {any} parameters
 * @param {{ slice: number, of: number }} which
 */
const makeSlice = ({ type, width, peers, shared, isBank }, parameters, { slice, of }) => {
  insistWithin('of', of, {});
  insistWithin('slice', slice, { from: 0, to: of - 1 });
  const whole = width(parameters);
  const firsts = Array.from({ length: of + 1 }, (_, i) => Math.floor((whole * i) / of));
  const counts = firsts.slice(1).map((end, i) => end - firsts[i]);
  const range = { first: firsts[slice], count: counts[slice] };
  return isBank
    ? new Slice(type, parameters, { ...range, counts, own: slice, peers, shared })
    : new type(null, { ...parameters, ...range });
};

/**
 * @param {object} program
 * @param {Record<string, any>} program.defaults  parameters and their values, where none is given
 * @param {Record<string, any>} [program.ofParts]  those that only a part has
 * @param {Record<string, Bounds>} [program.sizes]  bounds of parameters
 * @param {(parameters: any) => string | undefined} [program.misfit]  what is wrong with parameters that are possible alone
 * @param {(result: any, parameters: any) => string} program.check
 * @param {new (parameters: any, check: any) => Reactor} program.main  the whole program
 * @param {Record<string, PartClass | SlicedPart>} [program.parts]  reactors that may be vats
 */
export const benchmark = ({
  defaults,
  ofParts = {},
  sizes = {},
  misfit,
  check,
  main,
  parts = {},
}) => {
  const complete = (given, isPart) => {
    const known = { ...defaults, ...ofParts };
    for (const name of Object.keys(given)) {
      if (!isPart && Object.hasOwn(ofParts, name))
        throw Error(`parameter "${name}" is one of a part, and this is the whole program`);
      if (Object.hasOwn(known, name) || ['iterations', 'tell', 'argv'].includes(name)) continue;
      throw Error(`there is no parameter "${name}"; there are ${Object.keys(defaults).join(', ')}`);
    }
    const parameters = { ...known, ...given };
    for (const [name, value] of Object.entries(known)) {
      const bounds = typeof value === 'boolean' ? { oneOf: [false, true] } : sizes[name];
      insistWithin(name, parameters[name], bounds ?? {});
    }
    if (given.iterations !== undefined) insistWithin('iterations', given.iterations, {});
    const wrong = misfit?.(parameters);
    if (wrong !== undefined) throw Error(wrong);
    return parameters;
  };
  return {
    defaults,

    /** The whole program, for a library. */
    makeMain: (given = {}) => new main(complete(given, false), check),

    /** The reactor of a vat: the whole program, or a `part` of it; if the part is in several vats, `slice` 0 to `of` - 1. */
    buildReactor: (_vatPowers, { part, slice, of, ...given }) => {
      const parameters = complete(given, part !== undefined);
      if (part === undefined) return new main(parameters, check);
      if (part === 'runner') return new Runner(null, parameters, check);
      const type = parts[part];
      if (type === undefined) {
        throw Error(
          `there is no part "${part}"; there are runner, ${Object.keys(parts).join(', ')}`,
        );
      }
      if (typeof type === 'function') return new type(null, parameters);
      return makeSlice(type, parameters, { slice, of });
    },
  };
};
