// Lockdown of the realm, and the engine's errors in it. Bundles, compartments, evaluators and numbers have entries of
// their own (`#loader/bundle` and so on).

export { boundBuffers } from './buffer-bytes.js';
export { placed, placeErrors, placedFunction } from './caller-place.js';
export { tellEngineError } from './engine-errors.js';
export { keepFramesOfHost, keepFramesOfVats } from './kept-frames.js';
export {
  ensureLockdown,
  getStackFrames,
  installRejectionPolicy,
  setLibraryHarden,
} from './lockdown.js';
export { endWithoutMemory } from './memory-refusal.js';
export { transformTildot } from './tildot.js';
