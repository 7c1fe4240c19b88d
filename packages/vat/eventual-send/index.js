export { E } from './e.js';
export { findHandle } from './handles.js';
export { HandledPromise, makeHandledPromiseKit, makePresence, send } from './handled-promise.js';
