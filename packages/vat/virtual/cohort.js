// The facets of one object. Each facet keeps all of them in memory, so that they come and go together. The record of
// facets, which has no vref, is marked so that it differs from other objects.

import { Stamped } from '../stamped.js';

class FacetStamp extends Stamped {
  /** @type {object} */
  #cohort;

  /** @param {object} facet @param {object} cohort */
  constructor(facet, cohort) {
    super(facet);
    this.#cohort = cohort;
  }

  /** @param {object} facet */
  static find(facet) {
    return #cohort in facet ? facet.#cohort : undefined;
  }
}

class CohortStamp extends Stamped {
  #isCohort = true;

  /** @param {object} object */
  static has(object) {
    return #isCohort in object;
  }
}

/**
 * Makes a facet keep its cohort alive.
 *
 * @param {object} facet  extensible
 * @param {object} cohort
 */
export const linkToCohort = (facet, cohort) => {
  new FacetStamp(facet, cohort);
};

/** @param {object} record  of facets; extensible */
export const markCohort = record => {
  new CohortStamp(record);
};

/** @param {unknown} value */
export const isCohort = value =>
  typeof value === 'object' && value !== null && CohortStamp.has(value);
