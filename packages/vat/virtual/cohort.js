// The facets of one object. Whoever has one of them has all in memory, so that they come and go together; and the record of
// them, which has no vref, can be told from other objects.

/** A constructor that returns what it is given, so that a subclass adds its private field to that. */
class Stamped {
  /** @param {object} object */
  constructor(object) {
    return object;
  }
}

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
 * A facet keeps its cohort alive.
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
