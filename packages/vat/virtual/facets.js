// Reads the facets of a kind's behaviour, and checks that a durable kind keeps its facets when it is defined again.

import { Fail } from '@endo/errors';

const { ownKeys } = Reflect;

/**
 * `one` for an object of methods, `many` for an object of such objects under names that are strings, `not` for
 * everything else. An empty object has no methods, and is one facet.
 *
 * @param {any} behavior
 * @returns {'one' | 'many' | 'not'}
 */
export const assessFacets = behavior => {
  if (typeof behavior !== 'object' || behavior === null) return 'not';
  /** @type {'one' | 'many' | undefined} */
  let found;
  for (const name of ownKeys(behavior)) {
    const part = behavior[name];
    /** @type {'one' | 'many'} */
    let is;
    if (typeof part === 'function') is = 'one';
    else if (typeof name === 'string' && isMethods(part)) is = 'many';
    else return 'not';
    if (found !== undefined && found !== is) return 'not';
    found = is;
  }
  return found ?? 'one';
};

/** Whether each property is a method; looks at one level only, also for a proxy. @param {any} value */
const isMethods = value =>
  typeof value === 'object' &&
  value !== null &&
  ownKeys(value).every(name => typeof value[name] === 'function');

/**
 * The store's record of a durable kind.
 *
 * @typedef {object} KindDescriptor
 * @property {string} kindID
 * @property {string} tag
 * @property {boolean} [unfaceted]
 * @property {string[]} [facets]
 * @property {import('#model').CapData} [stateShapeCapData]
 */

/**
 * The facets of a durable kind in the order of their numbers: the former ones, then new ones by name.
 *
 * @param {KindDescriptor} descriptor
 * @param {readonly string[] | undefined} proposed  undefined for a kind without facets
 * @returns {string[] | undefined}
 * @throws {Error} when the kind had facets and has none now, or had none, or lacks one that it had
 */
export const joinFacets = ({ tag, unfaceted, facets = undefined }, proposed) => {
  if (unfaceted && proposed)
    throw Fail`defineDurableKindMulti called for unfaceted KindHandle ${tag}`;
  if (facets && !proposed) throw Fail`defineDurableKind called for faceted KindHandle ${tag}`;
  if (proposed === undefined) return undefined;
  const known = facets ?? [];
  const missing = known.find(name => !proposed.includes(name));
  if (missing !== undefined)
    throw Fail`durable kind "${tag}" facets (${proposed.join(',')}) is missing ${missing} from original definition (${known.join(',')})`;
  return [...known, ...proposed.filter(name => !known.includes(name)).sort()];
};
