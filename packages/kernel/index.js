// The kernel: crank loop, routing, translation, syscalls, keepers (one per table), policies, counters, hash.
// Imports `#schedule` and `#model` only.

export { audit } from './audit.js';
export { counters2020, countersCurrent } from './counters.js';
export { CriticalVatError, memoryRefused, VatStartError } from './crank/flight.js';
export { writeCrankRecord } from './hash.js';
export { findStoredProfile, makeKernel } from './kernel.js';
export { kernelStepRecord } from './crank/apply.js';
export { rawTables } from './raw-tables.js';
export { repeatHostCall } from './host-calls.js';
export { figure } from './figures.js';
export { findChannel } from './port-names.js';
export { profiles } from './profiles/index.js';
export { inputStream } from './state.js';
export { findFirstDifference, markStream, readBlockMarks } from './block-marks.js';
export { errorData, methodNameOf } from './wire.js';
export { WiringError } from './wiring-error.js';

/** @typedef {import('./block-marks.js').BlockDifference} BlockDifference */
/** @typedef {import('./block-marks.js').BlockMark} BlockMark */
/** @typedef {import('./crank/flight.js').CrankObserver} CrankObserver */
/** @typedef {import('./crank/flight.js').CrankResult} CrankResult */
/** @typedef {import('./crank/flight.js').Flight} Flight */
/** @typedef {import('./crank/flight.js').Device} Device */
/** @typedef {import('./crank/devices.js').DevicePowers} DevicePowers */
/** @typedef {import('./crank/flight.js').Transport} Transport */
/** @typedef {import('./counters.js').Counter} Counter */
/** @typedef {import('./inputs.js').Input} Input */
/** @typedef {import('./kernel.js').InitialState} InitialState */
/** @typedef {import('./kernel.js').Kernel} Kernel */
/** @typedef {import('./kernel.js').PromiseStatus} PromiseStatus */
/** @typedef {import('./state.js').PhysicalClock} PhysicalClock */
/** @typedef {import('./store-interface.js').KernelStore} KernelStore */
/** @typedef {import('./wiring.js').PlannedPorts} PlannedPorts */
/** @typedef {import('./wiring.js').WiringPlan} WiringPlan */
