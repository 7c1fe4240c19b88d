export { E, watchSends } from './e.js';
export { findHandle } from './handles.js';
export {
  HandledPromise,
  isThenable,
  makeHandledPromiseKit,
  makePresence,
  send,
} from './handled-promise.js';
export { LaterCall } from './later-call.js';
export { LaterResult } from './later-result.js';
