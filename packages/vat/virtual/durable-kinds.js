// Kinds by the names that vats define them under: virtual kinds, which end with the incarnation, and durable kinds,
// each of which has a handle that outlives it. The descriptor of a handle is in the store, under `vom.dkind.`. Each
// incarnation must define again all durable kinds of earlier ones, since their objects would have no methods otherwise.

import { Fail, q } from '@endo/errors';
import { Far } from '../marshal/index.js';
import { defineKind } from './kinds.js';
import { keysWithPrefix } from './store-keys.js';
import { formatBaseRef, instanceOf } from './vrefs.js';

/** @import { KindDescriptor } from './facets.js' */
/** @import { KindOptions } from './kinds.js' */
/** @import { VirtualParts } from './virtual-data.js' */

const prefix = 'vom.dkind.';

/** @typedef {(...args: any[]) => any} Init */

/** SwingSet takes any tag; an object's text could change. @param {unknown} tag */
const insistTag = tag => {
  Object(tag) !== tag || Fail`the tag of a kind must be a primitive value, not a ${q(typeof tag)}`;
};

/**
 * A durable kind in an incarnation.
 *
 * @typedef {{ descriptor: KindDescriptor, next: bigint, isDefined: boolean }} DurableKind
 */

/**
 * The functions of `VatData` that define kinds, and what the vat's life needs of them.
 *
 * @param {VirtualParts} parts
 */
export const makeKindDefiner = parts => {
  const { syscalls, references, kinds } = parts;

  /** @type {Map<string, DurableKind>} by kind id */
  const durable = new Map();

  /** Handles are held for the rest of the incarnation, so that their identity is stable. @type {Map<object, string>} */
  const kindIds = new Map();

  let handleKindId = '';

  /** @param {DurableKind} kind */
  const saveDescriptor = ({ descriptor }) =>
    syscalls.vatstoreSet(`${prefix}${descriptor.kindID}.descriptor`, JSON.stringify(descriptor));

  /** @param {DurableKind} kind */
  const saveNext = ({ descriptor, next }) =>
    syscalls.vatstoreSet(`${prefix}${descriptor.kindID}.nextID`, `${next}`);

  /** @param {string} kindId */
  const makeHandle = kindId => {
    const handle = Far('kind', {});
    kindIds.set(handle, kindId);
    references.nameRepresentative(formatBaseRef(handleKindId, kindId, true), handle);
    return handle;
  };

  /** @param {string} baseRef  of the handle of a kind that an earlier incarnation has made */
  const reanimateHandle = baseRef => {
    const kindId = instanceOf(baseRef);
    const text = syscalls.vatstoreGet(`${prefix}${kindId}.descriptor`);
    if (text === undefined) throw Fail`unknown kind ID ${kindId}`;
    const next = BigInt(syscalls.vatstoreGet(`${prefix}${kindId}.nextID`) ?? 1);
    durable.set(kindId, { descriptor: JSON.parse(text), next, isDefined: false });
    return makeHandle(kindId);
  };

  /** @param {string} tag */
  const makeKindHandle = tag => {
    insistTag(tag);
    const kindId = `${references.numbers.takeExport()}`;
    const kind = { descriptor: { kindID: kindId, tag }, next: 1n, isDefined: false };
    durable.set(kindId, kind);
    saveDescriptor(kind);
    saveNext(kind);
    const handle = makeHandle(kindId);
    references.registerRepresentative(formatBaseRef(handleKindId, kindId, true), handle);
    return handle;
  };

  /**
   * @param {boolean} isMulti
   * @param {string} tag
   * @param {Init | undefined} init
   * @param {any} behavior
   * @param {KindOptions} [options]
   */
  const defineVirtual = (isMulti, tag, init, behavior, options) => {
    insistTag(tag);
    const kindId = `${references.numbers.takeExport()}`;
    // For people who inspect the store: no vat reads it.
    syscalls.vatstoreSet(`vom.vkind.${kindId}.descriptor`, JSON.stringify({ kindID: kindId, tag }));
    let next = 1n;
    return defineKind(parts, {
      kindId,
      tag,
      init,
      isMulti,
      behavior,
      options,
      nextInstance: () => {
        next += 1n;
        return next - 1n;
      },
      descriptor: undefined,
      saveDescriptor: () => {},
    });
  };

  /**
   * @param {boolean} isMulti
   * @param {object} handle
   * @param {Init | undefined} init
   * @param {any} behavior
   * @param {KindOptions} [options]
   */
  const defineDurable = (isMulti, handle, init, behavior, options) => {
    const kindId = kindIds.get(handle);
    const kind = kindId === undefined ? undefined : durable.get(kindId);
    if (kindId === undefined || kind === undefined) throw Fail`unknown handle ${handle}`;
    const { descriptor } = kind;
    const { tag } = descriptor;
    // SwingSet quotes the tag of a kind with facets.
    if (kind.isDefined)
      throw isMulti
        ? Fail`redefinition of durable kind "${tag}"`
        : Fail`redefinition of durable kind ${tag}`;
    const maker = defineKind(parts, {
      kindId,
      tag,
      init,
      isMulti,
      behavior,
      options,
      nextInstance: () => {
        kind.next += 1n;
        saveNext(kind);
        return kind.next - 1n;
      },
      descriptor,
      saveDescriptor: () => saveDescriptor(kind),
    });
    kind.isDefined = true;
    return maker;
  };

  return Object.freeze({
    /** The functions that a vat calls. */
    functions: {
      /** @param {string} tag @param {Init | undefined} init @param {any} behavior @param {KindOptions} [options] */
      defineKind: (tag, init, behavior, options) =>
        defineVirtual(false, tag, init, behavior, options),
      /** @param {string} tag @param {Init | undefined} init @param {any} behavior @param {KindOptions} [options] */
      defineKindMulti: (tag, init, behavior, options) =>
        defineVirtual(true, tag, init, behavior, options),
      /** @param {object} handle @param {Init | undefined} init @param {any} behavior @param {KindOptions} [options] */
      defineDurableKind: (handle, init, behavior, options) =>
        defineDurable(false, handle, init, behavior, options),
      /** @param {object} handle @param {Init | undefined} init @param {any} behavior @param {KindOptions} [options] */
      defineDurableKindMulti: (handle, init, behavior, options) =>
        defineDurable(true, handle, init, behavior, options),
      makeKindHandle,
    },

    /** Called before anything else of the incarnation. */
    start() {
      handleKindId = syscalls.vatstoreGet('kindIDID') ?? '';
      if (handleKindId === '') {
        handleKindId = `${references.numbers.takeExport()}`;
        syscalls.vatstoreSet('kindIDID', handleKindId);
      }
      kinds.add(handleKindId, {
        reanimate: reanimateHandle,
        deleteStored: () => false,
        isDurable: true,
      });
    },

    /** @throws {Error} when a durable kind of an earlier incarnation was not defined */
    insistAllDefined() {
      const missing = [];
      for (const key of keysWithPrefix(syscalls, prefix)) {
        if (!key.endsWith('.descriptor')) continue;
        const { kindID, tag } = JSON.parse(syscalls.vatstoreGet(key) ?? '{}');
        if (!durable.get(kindID)?.isDefined) missing.push(tag);
      }
      if (missing.length > 0)
        throw Error(`defineDurableKind not called for tags: [${missing.join(',')}]`);
    },
  });
};
