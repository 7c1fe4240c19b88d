// Objects of the system's vats that SwingSet makes by kinds, without guards. They have the one method more that such
// objects have; those of 2020 had none.

import { Far } from '#vat';

/**
 * Make such an object.
 *
 * @template {Record<PropertyKey, (...args: any[]) => unknown>} T
 * @param {string} tag  of the kind; with facets, a space and the facet's name behind it
 * @param {T} methods
 * @returns {T & { __getInterfaceGuard__: () => undefined }}
 */
export const makeKindObject = (tag, methods) =>
  Far(tag, { ...methods, __getInterfaceGuard__: () => undefined });
