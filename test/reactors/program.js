// The form of the programs of the table: parts that talk through ports only, the connections between them, and what
// each part notes, at which tag. A driver makes the parts into one program, here or in vats, and compares the traces.
//
// This module is bundled into vats together with the programs, so it imports nothing of Node.

import { Mode, Reactor, interleaved } from 'swingset-runner/reactor';

/** @typedef {{ log: (reactor: Reactor, text: string) => void }} Powers */

/**
 * A connection between parts, as a swingset config has it. Ports are named `part.port`, all channels of a multiport at
 * once.
 *
 * @typedef {object} Wire
 * @property {string[]} from
 * @property {string[]} to
 * @property {number | string} [after]
 * @property {boolean} [physical]
 * @property {boolean} [repeat]
 * @property {'from' | 'to' | 'both'} [interleaved]  sides of which the channels are taken in turn
 */

/**
 * @typedef {object} RunOptions
 * @property {number | string} [timeout]
 * @property {boolean} [keepalive]
 * @property {number} [maxMicrosteps]
 * @property {[timeNs: number, nowNs: number][]} [clock]  from a logical time on, physical time is at least `nowNs`; it is
 *   never behind logical time. Without it they are equal
 */

/** @typedef {(new (container: any, params: any, powers: Powers) => Reactor)} PartClass */

/**
 * @typedef {object} Definition
 * @property {string} name  of the Lingua Franca test whose meaning it has
 * @property {string} rule  what it shows
 * @property {Record<string, PartClass | [PartClass, any]>} parts  classes, with their parameters
 * @property {Wire[]} [connections]
 * @property {RunOptions} [options]
 * @property {Record<string, string[]>} [trace]  by part, `${timeNs}.${microstep} ${text}`; parts that note nothing may
 *   be left out
 * @property {string[]} [stops]  parts that may ask for the end of the program
 * @property {Record<string, unknown>} [parameters]  which its module needs to find it, beside its name
 * @property {boolean} [starves]  it shows the end when nothing more is to come
 * @property {boolean} [unordered]  reactors within a part that do not depend on each other note something at one tag; in
 *   which order is not the point, so lines are compared as a set
 * @property {RegExp} [error]  for a program that cannot run, instead of a trace
 */

/** @typedef {Required<Pick<Definition, 'connections' | 'options' | 'trace'>> & Definition} Program */

/**
 * A reactor of a program: it has parameters, and notes what happens.
 */
export class Part extends Reactor {
  /**
   * @param {any} container
   * @param {any} [params]
   * @param {Powers} [powers]  by default those of what contains it
   */
  constructor(container, params = {}, powers = powersOf(container)) {
    super(container);
    /** @type {any} */
    this.params = params;
    this.powers = powers;
  }

  /**
   * Note something with the present tag.
   *
   * @param {...any} what
   */
  note(...what) {
    this.powers.log(
      this,
      what.map(item => (Array.isArray(item) ? item.join(' ') : String(item))).join(' '),
    );
  }
}

/** @type {(container: any) => Powers} */
const powersOf = container =>
  container instanceof Mode ? /** @type {any} */ (container.node.reactor).powers : container.powers;

/**
 * @param {Definition} definition
 * @returns {Program}
 */
export const program = definition => ({ connections: [], options: {}, trace: {}, ...definition });

/**
 * One part, as a main reactor or within another one.
 *
 * @param {Program} what
 * @param {string} part
 * @param {any} container
 * @param {Powers} powers
 * @returns {any}
 */
export const makePart = (what, part, container, powers) => {
  const entry = what.parts[part];
  if (entry === undefined) throw Error(`program ${what.name} has no part ${part}`);
  const [Class, params] = Array.isArray(entry) ? entry : [entry, {}];
  return new Class(container, params, powers);
};

/** All parts and their connections in one main reactor. */
export class Main extends Reactor {
  /**
   * @param {Program} what
   * @param {(part: string) => Powers} powersOfPart
   */
  constructor(what, powersOfPart) {
    super(null);
    /** @type {Record<string, any>} */
    const parts = {};
    for (const part of Object.keys(what.parts)) {
      parts[part] = makePart(what, part, this, powersOfPart(part));
    }
    this.parts = parts;
    for (const { from, to, interleaved: sides, ...options } of what.connections) {
      this.connect(
        endsOf(parts, from, sides === 'from' || sides === 'both'),
        endsOf(parts, to, sides === 'to' || sides === 'both'),
        options,
      );
    }
  }
}

/**
 * @param {Record<string, any>} parts
 * @param {string[]} names
 * @param {boolean} inTurn
 */
const endsOf = (parts, names, inTurn) => {
  const ports = names.map(name => {
    const [part, port] = name.split('.');
    return parts[part][port];
  });
  return inTurn ? interleaved(ports) : ports;
};

/** @param {Reactor} reactor @param {string} text */
export const lineOf = (reactor, text) => {
  const { timeNs, microstep } = reactor.util.getCurrentTag();
  return `${timeNs}.${microstep} ${text}`;
};

/**
 * Makes the exports of a module of programs: the main reactor of one of them, or one part of it. Lines go to the
 * console as `part: line`.
 *
 * @param {...Program} programs
 */
export const reactorBuilder =
  (...programs) =>
  /**
   * @param {unknown} _vatPowers
   * @param {{ program: string, part?: string }} parameters
   */
  (_vatPowers, { program: name, part }) => {
    const what = programs.find(candidate => candidate.name === name);
    if (what === undefined) throw Error(`no program ${name} here`);
    /** @type {(part: string) => Powers} */
    const powersOfPart = from => ({
      log: (reactor, text) => console.log(`${from}: ${lineOf(reactor, text)}`),
    });
    const root =
      part === undefined
        ? new Main(what, powersOfPart)
        : makePart(what, part, null, powersOfPart(part));
    if (part === undefined ? what.stops !== undefined : what.stops?.includes(part)) {
      /** @type {any} */ (root).mayRequestStop = true;
    }
    return root;
  };
