// Facts about the engine. A vat can see a few properties of the engine, so equal inputs give equal runs only on equal
// engines. Each engine that ran a state is recorded with it, and a resume on another engine gives a notice.

import process from 'node:process';

/** @import { Kernel } from '#kernel' */

/** Key of the engines that ran the state, each with its first crank, newest last; JSON. */
const engineKey = 'local.engine';

/**
 * @typedef {object} EngineFacts
 * @property {string} node  `20.19.0`
 * @property {string} v8
 * @property {string} icu  'none' if Node was built without
 * @property {string} unicode
 * @property {string} arch
 * @property {'set' | 'not set' | 'not needed'} collectionFlags  the flags that make collections reproducible
 *   (packages/host/engine/engine-flags.js)
 */

/** @typedef {EngineFacts & { crank: number }} EngineRecord  `crank`: the first that it ran */

/** @type {Record<Exclude<keyof EngineFacts, 'collectionFlags'>, string>} */
const titles = { node: 'Node', v8: 'V8', icu: 'ICU', unicode: 'Unicode', arch: 'on' };

/**
 * @param {EngineFacts['collectionFlags']} collectionFlags
 * @returns {EngineFacts}
 */
export const findEngineFacts = collectionFlags => {
  const { node, v8, icu = 'none', unicode = 'none' } = process.versions;
  return { node, v8, icu, unicode, arch: process.arch, collectionFlags };
};

/** @param {EngineFacts} facts */
const describeEngine = facts =>
  /** @type {(keyof typeof titles)[]} */ (Object.keys(titles))
    .map(name => `${titles[name]} ${facts[name]}`)
    .join(', ');

/**
 * @param {Pick<Kernel, 'getHostValue'>} kernel
 * @returns {EngineRecord[]} newest last; empty if the value is unreadable, since no run depends on it
 */
export const readEngines = kernel => {
  try {
    const engines = JSON.parse(kernel.getHostValue(engineKey) ?? '[]');
    return Array.isArray(engines) && engines.every(isRecord) ? engines : [];
  } catch {
    return [];
  }
};

/** @param {unknown} value @returns {value is EngineRecord} */
const isRecord = value =>
  typeof value === 'object' && value !== null && 'node' in value && 'crank' in value;

/**
 * Describe the engines that have run a state, a line each.
 *
 * @param {Pick<Kernel, 'getHostValue'>} kernel
 */
export const describeEngines = kernel =>
  readEngines(kernel).map(
    record =>
      `from crank ${record.crank} on: ${describeEngine(record)}; flags for collections ${record.collectionFlags}`,
  );

/**
 * @param {EngineFacts} was
 * @param {EngineFacts} is
 */
const isSame = (was, is) =>
  /** @type {(keyof EngineFacts)[]} */ (Object.keys(is)).every(name => was[name] === is[name]);

/**
 * Record the engine that runs a state from now on.
 *
 * @param {Kernel} kernel
 * @param {EngineFacts} facts
 * @returns {string | undefined} a line for people if the engine differs from the state's last
 */
export const noteEngine = (kernel, facts) => {
  const engines = readEngines(kernel);
  const was = engines.at(-1);
  if (was !== undefined && isSame(was, facts)) return undefined;
  const record = { ...facts, crank: kernel.cranks.all + 1 };
  kernel.setHostValue(engineKey, JSON.stringify([...engines, record]));
  if (was === undefined) return undefined;
  return `the state was run with ${describeEngine(was)}, flags for collections ${was.collectionFlags}; now it is ${describeEngine(facts)}, flags ${facts.collectionFlags}: ${mayDiffer}`;
};

/** The parts of an engine that vats can see and that were not made equal on all engines. */
const mayDiffer =
  'a vat that shows how deep it can recurse, Unicode properties of a letter, or what is collected without those flags may differ';
