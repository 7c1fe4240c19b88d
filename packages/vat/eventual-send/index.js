export { E, watchSends } from './e.js';
export { findHandle } from './handles.js';
export { HandledPromise, makePresence } from './handled-promise.js';
export { LaterCall } from './later-call.js';
export { LaterResult } from './later-result.js';
export { refusals2020, refusalsToday, setRefusals } from './refusals.js';
export { isThenable, makeHandledPromiseKit, send } from './send.js';
