// Keeps @endo/marshal from printing. Where its caller has not said what to do with the errors that it encodes, it prints
// them to the console of the realm, which is the host's: vats would write to the terminal as they like, and into output
// that programs read. Besides `makeMarshal`, `qp` and checks of patterns encode errors so.

/** The first argument of what it prints. */
const notice = 'Temporary logging of sent error';

let isQuiet = false;

/** To be called before any vat runs; without effect if it was called before. */
export const quietLibraries = () => {
  if (isQuiet) return;
  isQuiet = true;
  const { log } = console;
  const quietLog = (/** @type {unknown[]} */ ...values) => {
    if (values[0] !== notice) log(...values);
  };
  // A host program that locked the realm down by `@endo/init` has a frozen console: it gets a copy.
  if (Reflect.set(console, 'log', quietLog)) return;
  const copy = Object.create(Object.getPrototypeOf(console), {
    ...Object.getOwnPropertyDescriptors(console),
    log: { value: quietLog, enumerable: true },
  });
  Reflect.set(globalThis, 'console', Object.freeze(copy));
};
