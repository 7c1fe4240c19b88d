// The number of stack frames that the engine keeps of an error. As long as nobody reads the stack, a frame holds the object
// whose method ran in it, so a vat could tell how many are kept by what is collected. In vats' cranks the number is ours
// therefore, whatever the host program, its test runner or a flag of Node says.

/**
 * By default the engine keeps ten, and when a library refuses a vat's value, they are all the library's own.
 */
export const keptFrames = 50;

/** The engine's constructor, which lockdown hides behind one of its own. */
const EngineError = /** @type {{ stackTraceLimit?: unknown }} */ (/** @type {unknown} */ (Error));

/** Cranks under way: those that wait for their jobs overlap with cranks of other runs of the process. */
let cranks = 0;

/** The host program's number, while there are any. @type {unknown} */
let hostLimit;

/** Have the engine keep as many frames in what follows as it keeps of a vat's errors, until `keepFramesOfHost()`. */
export const keepFramesOfVats = () => {
  const { stackTraceLimit } = EngineError;
  if (cranks === 0) hostLimit = stackTraceLimit;
  cranks += 1;
  // If the program has frozen it, that number it is.
  if (stackTraceLimit !== keptFrames) Reflect.set(EngineError, 'stackTraceLimit', keptFrames);
};

/** Give the host program its number back, behind the last crank. Called once for each `keepFramesOfVats()`, also behind an error. */
export const keepFramesOfHost = () => {
  cranks -= 1;
  if (cranks === 0 && hostLimit !== keptFrames)
    Reflect.set(EngineError, 'stackTraceLimit', hostLimit);
};
