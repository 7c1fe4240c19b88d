// Parses vrefs of virtual and durable objects: `o+v10/3` is instance 3 of the virtual kind 10, `o+d10/3:1` the second
// facet of a durable one. State, counts and life, which all facets share, go by the base reference, without the facet.

const letterO = 111;
const plus = 43;
const letterD = 100;
const letterV = 118;

/**
 * Whether a vref is of an object whose state is in the vat's store. The vref must be valid.
 *
 * @param {string} vref
 */
export const isVirtualVref = vref => {
  if (vref.charCodeAt(0) !== letterO || vref.charCodeAt(1) !== plus) return false;
  const kept = vref.charCodeAt(2);
  return kept === letterD || kept === letterV;
};

/** Whether a vref is of an object of another vat. @param {string} vref */
export const isImportVref = vref => vref.charCodeAt(0) === letterO && vref.charCodeAt(1) !== plus;

/** @param {string} vref  virtual */
export const baseRefOf = vref => {
  const colon = vref.indexOf(':');
  return colon < 0 ? vref : vref.slice(0, colon);
};

/** @param {string} vref  virtual @returns {number | undefined} undefined for an object without facets */
export const facetOf = vref => {
  const colon = vref.indexOf(':');
  return colon < 0 ? undefined : Number(vref.slice(colon + 1));
};

/** @param {string} vref  virtual @returns {string} */
export const kindOf = vref => vref.slice(3, vref.indexOf('/'));

/** @param {string} baseRef @returns {string} */
export const instanceOf = baseRef => baseRef.slice(baseRef.indexOf('/') + 1);

/**
 * @param {string | number} kindId
 * @param {string | number | bigint} instance
 * @param {boolean} isDurable
 */
export const formatBaseRef = (kindId, instance, isDurable) =>
  `o+${isDurable ? 'd' : 'v'}${kindId}/${instance}`;
