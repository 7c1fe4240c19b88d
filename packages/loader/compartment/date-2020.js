// `Date` for vats of 2020. Vats had no clock then either, but SES gave an invalid date in its place, and no error.

import { dateGlobals } from './vat-date.js';

const { Date: VatDate } = dateGlobals;

/** @param {any[]} args */
function Date2020(...args) {
  if (new.target === undefined) return 'Invalid Date';
  return Reflect.construct(VatDate, args.length === 0 ? [NaN] : args, new.target);
}
Object.defineProperties(Date2020, {
  ...Object.getOwnPropertyDescriptors(VatDate),
  now: { value: () => NaN, writable: true, enumerable: false, configurable: true },
});

/** Globals of a vat of 2020, in place of today's; hardened with its `globalThis`. */
export const dateGlobalsOf2020 = { Date: Date2020 };
