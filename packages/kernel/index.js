// The kernel: crank loop, routing, translation, syscalls, keepers (one per table), policies, counters, hash.
// Imports `#schedule` and `#model` only.

export { counters2020, countersCurrent } from './counters.js';
export { VatStartError } from './crank.js';
export { writeCrankRecord } from './hash.js';
export { findStoredProfile, makeKernel } from './kernel.js';
export { profiles } from './profiles/index.js';
export { transcriptStream, inputStream } from './state.js';
