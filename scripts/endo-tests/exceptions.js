// Tests of Endo that do not pass here for a reason of the design.

const redacted = 'details of errors are redacted in vats';

/** By what a test's name matches, as `marshal/rankOrder: TITLE`, or a file's whose vat does not start. @type {[name: RegExp, reason: string][]} */
const byName = [
  [/^marshal\/marshal-testing: ava deepEqual/, 'it is about ava itself'],
  [/^pass-style\/byteArray: /, 'vats have no immutable ArrayBuffer'],
  [
    /^eventual-send\/eventual-send: new HandledPromise expected errors/,
    'HandledPromise names what a handler lacks in other words',
  ],
  [
    /^eventual-send\/eventual-send: new HandledPromise\(executor, undefined\)/,
    'vats have no setTimeout',
  ],
];

/** By what went wrong. @type {[reason: RegExp, exception: string][]} */
const byReason = [
  [/\(an? [\w ]+\)/, redacted],
  [/Float64Array is not a constructor/, 'fast-check needs Float64Array, which vats lack'],
  [/reading 'env'|prepare-endo\.js/, 'it sets process.env, which vats lack'],
];

/**
 * @param {string} name  of a test, or of a file
 * @param {string} why  what went wrong
 * @returns {string | undefined} the reason of the design
 */
export const exceptionOf = (name, why) =>
  byName.find(([pattern]) => pattern.test(name))?.[1] ??
  byReason.find(([pattern]) => pattern.test(why))?.[1];
