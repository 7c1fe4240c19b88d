// The kernel: crank loop, routing, translation, syscalls, keepers (one per table), policies, counters, hash.
// Imports `#schedule` and `#model` only.

export { audit } from './audit/audit.js';
export { collectionKinds } from './crank/ahead.js';
export { counters2020, countersCurrent } from './tables/counters.js';
export { CriticalVatError, makeRefusal, memoryRefused, VatStartError } from './crank/flight.js';
export { writeCrankRecord } from './record/hash.js';
export { findStoredProfile, makeKernel } from './kernel.js';
export { outboxPrefix } from './record/outbox.js';
export { findTextProblem, vatStorePrefix } from './tables/vatstore.js';
export { kernelStepRecord } from './crank/recorder.js';
export { readFirstThresholds, readVatBeginning } from './lifecycle/beginning.js';
export { rawTables } from './audit/raw-tables.js';
export { readInputs } from './inputs/inputs.js';
export { isNeverAsked, readReapCounts, usualGcKrefs } from './collection/reaper.js';
export { repeatHostCall } from './inputs/host-calls.js';
export { repeatMessage } from './inputs/host-references.js';
export { figure } from './tables/figures.js';
export { byInput, byKernel } from './tables/queue-item.js';
export { findChannel } from './reactors/port-names.js';
export { profiles } from './profiles/index.js';
export { inputStream } from './tables/state.js';
export { findFirstDifference, markStream, readBlockMarks } from './record/block-marks.js';
export { errorData, methodNameOf } from './crank/wire.js';
export { WiringError } from './reactors/wiring-error.js';

/** @typedef {import('./record/block-marks.js').BlockDifference} BlockDifference */
/** @typedef {import('./record/block-marks.js').BlockMark} BlockMark */
/** @typedef {import('./crank/flight.js').CrankObserver} CrankObserver */
/** @typedef {import('./crank/flight.js').CrankResult} CrankResult */
/** @typedef {import('./crank/flight.js').Flight} Flight */
/** @typedef {import('./crank/flight.js').Limit} Limit */
/** @typedef {import('./crank/flight.js').Device} Device */
/** @typedef {import('./crank/device-powers.js').DevicePowers} DevicePowers */
/** @typedef {import('./crank/flight.js').Transport} Transport */
/** @typedef {import('./tables/counters.js').Counter} Counter */
/** @typedef {import('./inputs/inputs.js').Input} Input */
/** @typedef {import('./tables/queue-item.js').Item} Item */
/** @typedef {import('./lifecycle/initial-state.js').InitialState} InitialState */
/** @typedef {import('./kernel.js').Kernel} Kernel */
/** @typedef {import('./kernel-views.js').PromiseStatus} PromiseStatus */
/** @typedef {import('./tables/physical-time.js').PhysicalClock} PhysicalClock */
/** @typedef {import('./store-interface.js').KernelStore} KernelStore */
/** @typedef {import('./record/read-transcript.js').TranscriptPlace} TranscriptPlace */
/** @typedef {import('./reactors/wiring-plan.js').PlannedPorts} PlannedPorts */
/** @typedef {import('./reactors/wiring-plan.js').WiringPlan} WiringPlan */
