// The limits in a vat's options.

/** Milliseconds: one hour. */
const mostCrankMs = 3_600_000;

/** Bytes: a mebibyte, and 64 gibibytes. */
const leastHeap = 2 ** 20;
const mostHeap = 2 ** 36;

/** The unit and the bounds of each limit. @type {Readonly<Record<string, { unit: string, minimum: number, maximum: number }>>} */
const fields = Object.freeze({
  crankMs: Object.freeze({ unit: 'milliseconds', minimum: 1, maximum: mostCrankMs }),
  heap: Object.freeze({ unit: 'bytes', minimum: leastHeap, maximum: mostHeap }),
});

const describeField = (/** @type {string} */ name) =>
  `"${name}", a whole number of ${fields[name].unit} from ${fields[name].minimum} to ${fields[name].maximum}`;

/** Completes "must be …". */
export const vatLimitsExpected = `an object with ${Object.keys(fields).map(describeField).join(', or ')}, or both, and nothing else`;

/** The limits of a vat as JSON Schema. */
export const vatLimitsSchema = Object.freeze({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, { minimum, maximum }]) => [
      name,
      { type: 'integer', minimum, maximum },
    ]),
  ),
  minProperties: 1,
  additionalProperties: false,
});

/** Milliseconds of wall time of a crank, and bytes of memory; at least one of them. @typedef {{ crankMs?: number, heap?: number }} VatLimits */

/** @param {unknown} value @returns {value is VatLimits} */
export const isVatLimits = value => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([name, limit]) => {
      if (!Object.hasOwn(fields, name)) return false;
      const { minimum, maximum } = fields[name];
      return Number.isSafeInteger(limit) && limit >= minimum && limit <= maximum;
    })
  );
};
