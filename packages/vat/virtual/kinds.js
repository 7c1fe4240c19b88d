// Kinds: makers of objects whose state is in the vat's store. An object is in memory as long as the vat uses it, as a
// representative: a frozen object without properties, which inherits the kind's methods. A method finds the object that
// it was called on and gets `{ state, self }`, or `{ state, facets }`; both are made for each crank, so that they do
// not show whether a representative was collected.
//
// Reading a vref makes a representative without reading the store, so it does not show whether one was in memory.

import { Fail, q } from '@endo/errors';
import { findMark } from '../marshal/index.js';
import { rememberRemotable } from '../marshal/references.js';
import { linkToCohort, markCohort } from './cohort.js';
import { CrankCache } from './crank-cache.js';
import { assessFacets, joinFacets } from './facets.js';
import { makeKindState } from './kind-state.js';
import { insistCompatibleShape, insistStateShape, makeStateCheck } from './state-shape.js';
import { baseRefOf, facetOf, formatBaseRef, kindOf } from './vrefs.js';

/** @import { KindDescriptor } from './facets.js' */
/** @import { VirtualParts } from './virtual-data.js' */

const { create, freeze, fromEntries, getOwnPropertyNames } = Object;
const { ownKeys } = Reflect;

/**
 * The options of a kind.
 *
 * @typedef {object} KindOptions
 * @property {(context: any) => void} [finish]  called with the context of each new object
 * @property {Record<string, any>} [stateShape]  a pattern for each property of the state
 * @property {(amplify: (facet: any) => any) => void} [receiveAmplifier]  called with a function from a facet to all
 *   facets
 * @property {(isInstance: (value: any, facetName?: string) => boolean) => void} [receiveInstanceTester]
 * @property {boolean} [thisfulMethods]  whether methods get the context as `this` instead of as their first argument
 * @property {any} [interfaceGuard]
 * @property {any} [interfaceGuardKit]
 */

/**
 * @typedef {object} KindDefinition
 * @property {string} kindId
 * @property {string} tag
 * @property {((...args: any[]) => any) | undefined} init
 * @property {boolean} isMulti  whether it was defined with facets
 * @property {any} behavior
 * @property {KindOptions | undefined} options
 * @property {() => bigint} nextInstance  the number of a new object
 * @property {KindDescriptor | undefined} descriptor  of a durable kind; changed here
 * @property {() => void} saveDescriptor
 */

/**
 * @param {KindDefinition} definition
 * @returns {{ facetNames: string[] | undefined, guard: any }}
 */
const readBehavior = ({ tag, isMulti, behavior, options = {} }) => {
  const { interfaceGuard, interfaceGuardKit, receiveAmplifier } = options;
  const facets = assessFacets(behavior);
  if (facets === 'not') throw Fail`invalid behavior specifier for ${q(tag)}`;
  if (facets === 'many') {
    isMulti || Fail`behavior of ${q(tag)} has facets, which only kinds defined with Multi have`;
    // Older packages give the guards of facets under the name of the other.
    const guard = interfaceGuardKit ?? interfaceGuard;
    interfaceGuard === undefined ||
      interfaceGuardKit === undefined ||
      Fail`Use an interfaceGuardKit, not an interfaceGuard, to protect class kit ${q(tag)}`;
    return { facetNames: getOwnPropertyNames(behavior).sort(), guard };
  }
  !isMulti || Fail`behavior of ${q(tag)} has no facets, which kinds defined with Multi must have`;
  interfaceGuardKit === undefined ||
    Fail`Use an interfaceGuard, not interfaceGuardKit, to protect class ${q(tag)}`;
  receiveAmplifier === undefined ||
    Fail`Only facets of an exo class kit can be amplified, not ${q(tag)}`;
  return { facetNames: undefined, guard: interfaceGuard };
};

/**
 * Checks that a durable kind is compatible with its former definition, and stores the new one.
 *
 * @param {VirtualParts} parts
 * @param {KindDefinition & { descriptor: KindDescriptor }} definition
 * @param {string[] | undefined} proposed
 */
const updateDescriptor = (parts, { descriptor, options = {}, saveDescriptor }, proposed) => {
  const { serialize, unserialize, counts, libraries } = parts;
  const { stateShape } = options;
  const facetNames = joinFacets(descriptor, proposed);
  if (facetNames === undefined) descriptor.unfaceted = true;
  else descriptor.facets = facetNames;
  const now = serialize(stateShape);
  parts.insistDurable(now, 'stateShape', false);
  const old = descriptor.stateShapeCapData;
  if (old !== undefined)
    insistCompatibleShape(old, now, { shape: stateShape, serialize, unserialize, libraries });
  counts.replace(old?.slots ?? [], now.slots);
  descriptor.stateShapeCapData = now;
  saveDescriptor();
  return facetNames;
};

/**
 * Define a kind.
 *
 * @param {VirtualParts} parts
 * @param {KindDefinition} definition
 * @returns {(...args: any[]) => any} makes an object; its arguments go to `init`
 */
export const defineKind = (parts, definition) => {
  const { kindId, tag, init, behavior, options = {}, descriptor, nextInstance } = definition;
  const { finish, stateShape, thisfulMethods = false } = options;
  const { libraries, references, kinds } = parts;
  const isDurable = descriptor !== undefined;
  const { facetNames: proposed, guard } = readBehavior(definition);
  insistStateShape(stateShape, libraries);
  const facetNames = isDurable
    ? updateDescriptor(parts, { ...definition, descriptor }, proposed)
    : proposed;

  const state = makeKindState(parts, {
    isDurable,
    shapeNames:
      stateShape === undefined ? undefined : /** @type {string[]} */ (ownKeys(stateShape)),
    check: makeStateCheck(stateShape, libraries),
  });

  /** The contexts of methods, by base reference. @type {CrankCache<any>} */
  const contexts = new CrankCache({
    read: baseRef => {
      const own = state.makeState(baseRef);
      const whole = references.requireValue(baseRef);
      return freeze(facetNames ? { state: own, facets: whole } : { state: own, self: whole });
    },
    write: () => Fail`never called`,
    delete: () => Fail`never called`,
  });
  parts.caches.push(state.records, contexts);

  /**
   * @param {unknown} value
   * @param {number | undefined} facet
   */
  const findContext = (value, facet) => {
    const mark = findMark(value);
    if (mark === undefined || mark.owner !== references) return undefined;
    const { vref } = mark;
    // The method was applied to an object of another kind, or to another facet.
    if (!vref.startsWith(prefix) || kindOf(vref) !== kindId || facetOf(vref) !== facet)
      return undefined;
    return contexts.get(baseRefOf(vref));
  };
  const prefix = formatBaseRef(kindId, '', isDurable);

  /** @type {Record<string, (value: unknown) => any>} */
  const providers = fromEntries(
    (facetNames ?? []).map((name, i) => [name, value => findContext(value, i)]),
  );
  const provider = (/** @type {unknown} */ value) => findContext(value, undefined);
  const { defendPrototype, defendPrototypeKit } = libraries.exo;
  /** @type {any} */
  const prototypes = harden(
    facetNames === undefined
      ? defendPrototype(tag, harden(provider), behavior, thisfulMethods, guard)
      : defendPrototypeKit(tag, harden(providers), behavior, thisfulMethods, guard),
  );

  /**
   * @param {object} prototype
   * @param {string} iface
   * @param {string} vref
   */
  const makeOne = (prototype, iface, vref) => {
    const made = create(prototype);
    rememberRemotable(made, iface);
    references.nameRepresentative(vref, made);
    return made;
  };

  /** @param {string} baseRef */
  const makeWhole = baseRef => {
    if (facetNames === undefined) return freeze(makeOne(prototypes, `Alleged: ${tag}`, baseRef));
    const facets = facetNames.map((name, i) =>
      makeOne(prototypes[name], `Alleged: ${tag} ${name}`, `${baseRef}:${i}`),
    );
    // All are own properties, whatever their names.
    const cohort = fromEntries(facetNames.map((name, i) => [name, facets[i]]));
    for (const facet of facets) {
      linkToCohort(facet, cohort);
      freeze(facet);
    }
    markCohort(cohort);
    return freeze(cohort);
  };

  kinds.add(kindId, {
    reanimate: makeWhole,
    deleteStored: baseRef => state.delete(baseRef),
    isDurable,
    ...(facetNames && { facetNames }),
  });

  giveTools(tag, options, facetNames, { provider, providers });

  return harden((/** @type {any[]} */ ...args) => {
    const baseRef = formatBaseRef(kindId, nextInstance(), isDurable);
    state.init(baseRef, init ? init(...args) : {});
    const whole = makeWhole(baseRef);
    references.registerRepresentative(baseRef, whole);
    finish?.(contexts.get(baseRef));
    return whole;
  });
};

/**
 * Gives a vat the functions that recognise its kind's objects.
 *
 * @param {string} tag
 * @param {KindOptions} options
 * @param {readonly string[] | undefined} facetNames
 * @param {object} found
 * @param {(value: unknown) => any} found.provider  for an object without facets
 * @param {Record<string, (value: unknown) => any>} found.providers  for each facet
 */
const giveTools = (
  tag,
  { receiveAmplifier, receiveInstanceTester },
  facetNames,
  { provider, providers },
) => {
  receiveAmplifier?.(
    harden((/** @type {any} */ facet) => {
      for (const name of facetNames ?? []) {
        const context = providers[name](facet);
        if (context !== undefined) return context.facets;
      }
      throw Fail`Must be a facet of ${q(tag)}: ${facet}`;
    }),
  );
  receiveInstanceTester?.(
    harden((/** @type {any} */ value, /** @type {string | undefined} */ facetName = undefined) => {
      if (facetNames === undefined) {
        facetName === undefined ||
          Fail`facetName can only be used with an exo class kit: ${q(tag)} has no facet ${q(facetName)}`;
        return provider(value) !== undefined;
      }
      if (facetName === undefined)
        return facetNames.some(name => providers[name](value) !== undefined);
      assert.typeof(facetName, 'string');
      facetNames.includes(facetName) ||
        Fail`exo class kit ${q(tag)} has no facet named ${q(facetName)}`;
      return providers[facetName](value) !== undefined;
    }),
  );
};
