// The number of stack frames that the engine keeps of an error. As long as nobody reads the stack, a frame holds the object
// whose method ran in it, so a vat could tell how many are kept by what is collected. In vats' cranks the number is ours
// therefore, whatever the host program, its test runner or a flag of Node says.

/**
 * By default the engine keeps ten, and when a library refuses a vat's value, they are all the library's own.
 */
export const keptFrames = 50;

/** The engine's constructor, which lockdown hides behind one of its own. */
const EngineError = /** @type {{ stackTraceLimit?: unknown }} */ (/** @type {unknown} */ (Error));

/**
 * Have the engine keep as many frames in what follows as it keeps of a vat's errors.
 *
 * @returns {unknown} the host program's number, for `keepFramesOfHost`
 */
export const keepFramesOfVats = () => {
  const { stackTraceLimit } = EngineError;
  // If the program has frozen it, that number it is.
  if (stackTraceLimit !== keptFrames) Reflect.set(EngineError, 'stackTraceLimit', keptFrames);
  return stackTraceLimit;
};

/** @param {unknown} limit  that of the host program, which `keepFramesOfVats` returned */
export const keepFramesOfHost = limit => {
  if (limit !== keptFrames) Reflect.set(EngineError, 'stackTraceLimit', limit);
};
