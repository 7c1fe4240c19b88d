// Finds what an exported name stands for, by the language's rules (ResolveExport of ECMA-262).

/** @import { AskModule } from './export-graph.js' */

/**
 * @typedef {object} Resolution
 * @property {number} found  bindings that the name may stand for: more than one if `export *` gives several
 * @property {number} steps  re-exports on the shortest way to one of them
 * @property {boolean} isMissing  whether a re-export on the way names what its module does not export at all
 */

/** @typedef {(key: string, name: string) => Resolution} Resolve */

/**
 * A name of a module, and what it stands for.
 *
 * @typedef {object} Question
 * @property {string} key
 * @property {string} name
 * @property {Set<string>} bindings  at most two: more make no difference
 * @property {number} steps
 * @property {boolean} isMissing
 * @property {Question[] | undefined} waiting  whose names may stand for this one, until all is known
 */

/**
 * Find what a name stands for, and all names on the way: each is asked for once, whichever is wanted first, so modules that
 * have all names of each other take no longer than they have `export *`. What is found goes back to those that wait.
 *
 * @param {string} start
 * @param {string} wanted
 * @param {AskModule} ask
 * @param {Map<string, Map<string, Question>>} known  by key and name
 * @returns {Question}
 */
const answer = (start, wanted, ask, known) => {
  /** @type {Question[]} */
  const open = [];
  const provide = (/** @type {string} */ key, /** @type {string} */ name) => {
    let ofModule = known.get(key);
    if (ofModule === undefined) known.set(key, (ofModule = new Map()));
    let question = ofModule.get(name);
    if (question === undefined) {
      const steps = Infinity;
      question = { key, name, bindings: new Set(), steps, isMissing: false, waiting: [] };
      ofModule.set(name, question);
      open.push(question);
    }
    return question;
  };
  const wantedQuestion = provide(start, wanted);

  /** @type {[Question, string][]} */
  const found = [];
  const find = (/** @type {Question} */ question, /** @type {string} */ binding) => {
    if (question.bindings.size === 2 || question.bindings.has(binding)) return;
    question.bindings.add(binding);
    found.push([question, binding]);
  };
  /** @type {Question[]} */
  const missing = [];
  const miss = (/** @type {Question} */ question) => {
    if (question.isMissing) return;
    question.isMissing = true;
    missing.push(question);
  };
  /** By steps. @type {Question[][]} */
  const near = [];
  const reach = (/** @type {Question} */ question, /** @type {number} */ steps) => {
    if (steps >= question.steps) return;
    question.steps = steps;
    (near[steps] ??= []).push(question);
  };

  // The list grows while it is walked, and so do those below.
  for (const question of open) {
    const { binding, next, lacks } = ask(question.key, question.name);
    if (binding !== undefined) {
      find(question, binding);
      reach(question, 0);
    }
    if (lacks) miss(question);
    for (const { key, name } of next) {
      const other = provide(key, name);
      other.waiting?.push(question);
      // It may have been answered before.
      for (const each of other.bindings) find(question, each);
      if (other.isMissing) miss(question);
      reach(question, other.steps + 1);
    }
  }
  for (const [{ waiting = [] }, binding] of found) for (const one of waiting) find(one, binding);
  for (const { waiting = [] } of missing) for (const one of waiting) miss(one);
  for (let steps = 0; steps < near.length; steps += 1)
    for (const question of near[steps] ?? [])
      for (const one of question.waiting ?? []) reach(one, steps + 1);
  for (const question of open) question.waiting = undefined;
  return wantedQuestion;
};

/**
 * @param {AskModule} ask
 * @returns {Resolve}
 */
export const makeResolve = ask => {
  /** @type {Map<string, Map<string, Question>>} */
  const known = new Map();
  return (key, name) => {
    const { bindings, steps, isMissing } = answer(key, name, ask, known);
    return { found: bindings.size, steps, isMissing };
  };
};
