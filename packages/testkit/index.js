// For tests only: kernels with scripted vats, overlapping transports, random programs. Modules that need hardened
// JavaScript are imported by their own paths (`passable.js`, after `lockdown.js`).

export { Coverage } from './coverage.js';
export { compareKernels, makeRudeProgram } from './differential.js';
export { dumpTables } from './dump-tables.js';
export { makeOverlappingTransports } from './overlapping.js';
export { runLater } from './macrotask.js';
export { fuzzing, makeMutations } from './mutations.js';
export { makeRandom } from './random.js';
export { makeRandomClock } from './random-clock.js';
export { makeRandomProgram, runRandomProgram } from './random-program.js';
export { scriptedDevice } from './scripted-device.js';
export { makeScriptedTransport, replayScripted, Reported } from './scripted-vat.js';
export { data, makeTestKernel, message, methodOf, presence, sha256 } from './test-kernel.js';

/** @typedef {import('./overlapping.js').OverlappingTransports} OverlappingTransports */
/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./random-program.js').ProgramRun} ProgramRun */
/** @typedef {import('./random-program.js').RandomProgram} RandomProgram */
/** @typedef {import('./scripted-vat.js').Call} Call */
/** @typedef {import('./scripted-vat.js').React} React */
/** @typedef {import('./test-kernel.js').TestDevice} TestDevice */
/** @typedef {import('./test-kernel.js').TestKernelOptions} TestKernelOptions */
/** @typedef {import('./test-kernel.js').TestKernel} TestKernel */
/** @typedef {import('./test-kernel.js').TestVat} TestVat */
