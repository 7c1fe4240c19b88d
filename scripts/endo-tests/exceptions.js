// Tests of Endo that do not pass here for a reason of the design, each by its name: nothing else about it may fail.

const redacted =
  'it reads details of errors, which SES redacts in vats, as everywhere but with `errorTaming: "unsafe"`';
const options =
  "options of Endo's packages come from process.env, which vats lack: strings are ranked by UTF-16 code units, and may be ill-formed";

const immutable = 'vats have no immutable ArrayBuffer';

/** By the name of a test, as `marshal/rankOrder: TITLE`. @type {[name: RegExp, reason: string][]} */
const byName = [
  [/^marshal\/marshal-testing: ava deepEqual/, 'it is about ava itself'],
  [/^pass-style\/byteArray: /, immutable],
  [/^marshal\/rankOrder: /, immutable],
  [
    /^eventual-send\/eventual-send: new HandledPromise\(executor, undefined\)/,
    'vats have no setTimeout',
  ],
  [/^marshal\/marshal-justin: qp for quote passable/, redacted],
  [/^marshal\/marshal-smallcaps: smallcaps encoding examples/, redacted],
  [
    /^pass-style\/passStyleOf: (?:some passStyleOf rejections|passStyleOf testing remotables)/,
    redacted,
  ],
  [/^patterns\/copySet: operations on golden inputs/, redacted],
  [/^patterns\/copySet: setIsSuperset/, immutable],
  [/^patterns\/pattern-limits: test pattern limits/, redacted],
  [/^marshal\/string-rank-both-order: string ranking by code point\/UTF-16/, options],
  [/^marshal\/string-rank-unicode-order: string ranking by code point/, options],
  [/^pass-style\/passable-string: test string well formedness/, options],
  [/^patterns\/string-key-unicode-order: unicode code point order/, options],
];

/** How tests fail for these reasons: `(a string)` stands where a detail is expected; a method is not there. */
const failures = new Map([
  [redacted, /\(an? [\w ]+\)/],
  [immutable, /[iI]mmutable/],
]);

/**
 * @param {string} name  of a test, or of a file
 * @param {string} why  what went wrong
 * @returns {string | undefined} the reason of the design
 */
export const exceptionOf = (name, why) => {
  const found = byName.find(([pattern]) => pattern.test(name))?.[1];
  return found !== undefined && (failures.get(found)?.test(why) ?? true) ? found : undefined;
};
