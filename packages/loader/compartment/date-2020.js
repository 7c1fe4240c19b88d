// `Date` for vats of 2020. Vats had no clock then either, but SES gave an invalid date in its place, and no error.

import { makeDateClass } from './vat-date.js';

/** Globals of a vat of 2020, in place of today's. */
export const dateGlobalsOf2020 = {
  Date: makeDateClass({ now: () => NaN, construct: () => NaN, call: () => 'Invalid Date' }),
};
