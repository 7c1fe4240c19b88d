// Facts about the engine, on which a run rests beside its inputs. Where a vat can see some of the engine, equal inputs give
// equal runs on equal engines only. So each engine that ran a state is recorded with it, and an engine that resumes another
// one's state says so.

import process from 'node:process';

/** @import { Kernel } from '#kernel' */

/** Since which crank which engine ran the state, the newest last; JSON. */
const engineKey = 'local.engine';

/**
 * @typedef {object} EngineFacts
 * @property {string} node  `20.19.0`
 * @property {string} v8
 * @property {string} icu  'none' where Node was built without
 * @property {string} unicode
 * @property {string} arch
 * @property {'set' | 'not set' | 'not needed'} collectionFlags  those under which collections repeat (engine-flags.js)
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
 * @returns {EngineRecord[]} the newest last; none, if what is there cannot be read: no run rests on it
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
 * The engines that have run a state, a line each.
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
 * @returns {string | undefined} a line for people, where it is another than the state's last
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
  'a vat that tells how deep it can recurse, what Unicode says of a letter, or what is found dead without those flags may differ';
