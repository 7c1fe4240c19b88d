// Selects cranks of a slog: by vat, method, promise and number, or the causes and effects of one.

import { findNearestName, quote, UserError } from '#model';
import { CauseTracker, methodOf, readCranks } from '#observe/slog';

/** @import { Cause, SlogCrank } from '#observe/slog' */
/** @import { Flags } from '../cli.js' */

/** @typedef {{ crank: SlogCrank, causes: Cause[] }} ShownCrank */

/** More names are counted. */
const mostNames = 12;

/** @param {string} name @param {Set<string>} names  that there are */
const nameSome = (name, names) => {
  const nearest = findNearestName(name, [...names]);
  if (nearest !== undefined) return `did you mean ${quote(nearest)}?`;
  const listed = [...names].slice(0, mostNames).map(each => quote(each));
  const more = names.size - listed.length;
  return `there are ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/**
 * @param {string | undefined} text  `17`, `10-20`, `10-`, `-20`
 * @returns {{ first: number, last: number }}
 */
export const parseCrankRange = text => {
  if (text === undefined) return { first: 0, last: Infinity };
  const [, begin, dash, end] = /^(\d*)(-?)(\d*)$/.exec(text.trim()) ?? [];
  const isRange = begin !== undefined && `${begin}${end}` !== '' && (dash !== '' || end === '');
  const first = Number(begin ?? '');
  const last = dash === '' ? first : end === '' ? Infinity : Number(end);
  if (isRange && first <= last) return { first, last };
  throw new UserError(
    `--cranks must be a number or a range of them, as 17, 10-20, 10- or -20, got ${quote(text)}`,
  );
};

/**
 * Whether a part of a crank has a reference; only slots count, not the text of a body.
 *
 * @param {unknown} part
 * @param {string} kref
 * @param {number} [depth]  an upper bound of the nesting in a slog
 * @returns {boolean}
 */
const hasReference = (part, kref, depth = 8) => {
  if (typeof part === 'string') return part === kref || part.startsWith(`${kref} `);
  if (depth === 0) return false;
  if (Array.isArray(part)) return part.some(each => hasReference(each, kref, depth - 1));
  const { slots } = /** @type {{ slots?: unknown }} */ (part ?? {});
  return Array.isArray(slots) && slots.some(slot => hasReference(slot, kref, depth - 1));
};

/** @param {SlogCrank} crank @returns {any[][]} its sends, as syscalls */
const sendsOf = ({ record: { syscalls, deviceSends, birthSyscalls } }) =>
  [syscalls, deviceSends, birthSyscalls]
    .flatMap(list => (Array.isArray(list) ? list : []))
    .filter(syscall => Array.isArray(syscall) && syscall[0] === 'send');

/**
 * @param {Flags} flags
 * @returns {(crank: SlogCrank) => boolean}
 * @throws {UserError} if --cranks or --promise is malformed
 */
export const makeCrankFilter = ({ vat, method, promise, cranks }) => {
  const { first, last } = parseCrankRange(cranks);
  if (promise !== undefined && !/^kp\d+$/.test(promise))
    throw new UserError(`--promise must be one of the kernel, as kp42, got ${quote(promise)}`);
  return crank => {
    if (crank.crankNum < first || crank.crankNum > last) return false;
    if (vat !== undefined && crank.vatId !== vat && crank.vatName !== vat) return false;
    if (
      method !== undefined &&
      crank.method !== method &&
      !sendsOf(crank).some(([, , data]) => methodOf(data) === method)
    )
      return false;
    if (promise === undefined) return true;
    const { delivery, syscalls, deviceSends, birthSyscalls, step } = crank.record;
    return hasReference([delivery, syscalls, deviceSends, birthSyscalls, step], promise);
  };
};

/**
 * Says why no crank was found, with the names that there are. It reads the slog once more.
 *
 * @param {string} file
 * @param {Flags} flags
 * @returns {string}
 */
export const explainNone = (file, { vat, method }) => {
  /** @type {Set<string>} */
  const vats = new Set();
  /** @type {Set<string>} */
  const methods = new Set();
  for (const crank of readCranks(file, 'slog')) {
    if (crank.vatName !== '') vats.add(crank.vatName);
    if (crank.vatId === vat) vats.add(crank.vatId);
    if (crank.method !== '') methods.add(crank.method);
    for (const [, , data] of sendsOf(crank)) methods.add(String(methodOf(data)));
  }
  if (vat !== undefined && !vats.has(vat))
    return `no crank matches: there is no vat ${quote(vat)}; ${nameSome(vat, vats)}`;
  if (method !== undefined && !methods.has(method))
    return `no crank matches: there is no method ${quote(method)}; ${nameSome(method, methods)}`;
  return 'no crank matches';
};

/**
 * The cranks that a filter accepts, with their causes.
 *
 * @param {string} file
 * @param {(crank: SlogCrank) => boolean} isWanted
 * @returns {Generator<ShownCrank>}
 */
export function* selectCranks(file, isWanted) {
  const tracker = new CauseTracker();
  for (const crank of readCranks(file, 'slog')) {
    const causes = tracker.add(crank);
    if (isWanted(crank)) yield { crank, causes };
  }
}

/** The largest number of effects to list; further ones are counted. */
const mostEffects = 500;

/** A crank of a chain. @typedef {{ crankNum: number, depth: number, how: string }} Link */

/**
 * @param {Map<number, Cause[]>} causes  by crank
 * @param {number} wanted
 * @returns {Link[]} from the first cause to the crank itself
 */
const findChain = (causes, wanted) => {
  /** @type {Link[]} */
  const chain = [{ crankNum: wanted, depth: 0, how: '' }];
  const seen = new Set([wanted]);
  for (let at = wanted; ;) {
    const [nearest] = causes.get(at) ?? [];
    if (nearest === undefined || seen.has(nearest.crankNum)) break;
    at = nearest.crankNum;
    seen.add(at);
    chain.push({ crankNum: at, depth: 0, how: nearest.how });
  }
  return chain.reverse();
};

/**
 * @param {Map<number, Cause[]>} causes
 * @param {number} wanted
 * @param {number} depth
 * @returns {{ links: Link[], left: number }} depth first, siblings in the order of the run; `left`:
 *   the number of effects that are not shown
 */
const findEffects = (causes, wanted, depth) => {
  /** @type {Map<number, Link[]>} */
  const effects = new Map();
  for (const [crankNum, [nearest]] of causes) {
    const list = effects.get(nearest.crankNum) ?? [];
    list.push({ crankNum, depth: 0, how: nearest.how });
    effects.set(nearest.crankNum, list);
  }
  /** @type {Link[]} */
  const links = [];
  let left = 0;
  // An explicit stack, next link last, since a chain may be as long as a run.
  const stack = [...(effects.get(wanted) ?? [])].reverse().map(link => ({ ...link, depth: 1 }));
  while (stack.length > 0) {
    const link = /** @type {Link} */ (stack.pop());
    if (links.length >= mostEffects || link.depth > depth) {
      left += 1;
      continue;
    }
    links.push(link);
    for (const next of [...(effects.get(link.crankNum) ?? [])].reverse())
      stack.push({ ...next, depth: link.depth + 1 });
  }
  return { links, left };
};

/**
 * Find the causes and effects of a crank.
 *
 * @param {string} file
 * @param {number} wanted the crank's number
 * @param {number} depth  steps forward
 * @returns {{ causes: (Link & ShownCrank)[], effects: (Link & ShownCrank)[], left: number }}
 * @throws {UserError} if the slog has no such crank
 */
export const followCrank = (file, wanted, depth) => {
  /** @type {Map<number, Cause[]>} */
  const all = new Map();
  let isThere = false;
  for (const { crank, causes } of selectCranks(file, () => true)) {
    if (crank.crankNum === wanted) isThere = true;
    if (causes.length > 0) all.set(crank.crankNum, causes);
  }
  if (!isThere)
    throw new UserError(
      `${quote(file)} has no crank ${wanted}; slog ${file} --brief lists them all`,
    );
  const chain = findChain(all, wanted);
  const { links, left } = findEffects(all, wanted, depth);
  const needed = new Set([...chain, ...links].map(({ crankNum }) => crankNum));
  /** @type {Map<number, ShownCrank>} */
  const shown = new Map();
  for (const each of selectCranks(file, ({ crankNum }) => needed.has(crankNum)))
    shown.set(each.crank.crankNum, each);
  const complete = (/** @type {Link} */ link) => ({
    ...link,
    .../** @type {ShownCrank} */ (shown.get(link.crankNum)),
  });
  return { causes: chain.map(complete), effects: links.map(complete), left };
};
