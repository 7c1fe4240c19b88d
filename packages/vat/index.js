// The code that runs inside a vat's compartment or right around it: supervisor, presences, eventual send, marshalling.
// Imports `#schedule` and `#model`, and `@endo/marshal` for rare values.

export { E, HandledPromise, watchSends } from './eventual-send/index.js';
export { VatProxy } from './guarded-proxy.js';
export { Far, Remotable, getInterfaceOf, makeTagged, passStyleOf } from './marshal/index.js';
export { hardenForVat } from './marshal/index.js';
export { makeQclassMarshal, makeSmallcapsMarshal } from './marshal/index.js';
export { lendHandledPromise, returnHandledPromise } from './marshal/stand-in.js';
export { makeVatDataParts } from './shims/vat-data.js';
export { findLazyAssert, loadVatShims } from './shims/load.js';
export { makeDevice } from './supervisor/device-slots.js';
export { makeRawDevice } from './supervisor/raw-device.js';
export { makeDispatchingSupervisor } from './supervisor/dispatching.js';
export { makeWeakCollections } from './supervisor/weak-collections.js';
export { findVirtualTools, loadVirtualTools } from './virtual/index.js';
export { rawSupervisors, supervisors } from './supervisor/index.js';

/** @typedef {import('./supervisor/index.js').Supervisor} Supervisor */
/** @typedef {import('./supervisor/supervisor-options.js').BuiltInPowers} BuiltInPowers */
/** @typedef {import('./supervisor/supervisor-options.js').Refusal} Refusal */
/** @typedef {import('./supervisor/references.js').Collected} Collected */
/** @typedef {import('./supervisor/references.js').Collector} Collector */
/** @typedef {import('./supervisor/device-slots.js').DeviceTools} DeviceTools */
/** @typedef {import('./supervisor/raw-device.js').RawDeviceTools} RawDeviceTools */
/** @typedef {import('./shims/load.js').VatShims} VatShims */
/** @typedef {import('./shims/vat-data.js').VatDataParts} VatDataParts */
/** @typedef {import('./supervisor/reactor-part.js').MakeProgram} MakeProgram */
/** @typedef {import('./virtual/index.js').VirtualTools} VirtualTools */
