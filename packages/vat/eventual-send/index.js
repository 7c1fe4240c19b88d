export { E } from './e.js';
export { HandledPromise, makeHandledPromiseKit, makePresence, send } from './handled-promise.js';
