// Frames between the kernel and the vats of another thread, and the shared memory through which they go.
// Imports `#model` only.

export {
  answer,
  codecOf,
  digest,
  digestBytes,
  flag,
  listKinds,
  listOf,
  malformed,
  maybe,
  number,
  text,
} from './frame-fields.js';
export { frameVersion, readReport, readRequest, writeReport, writeRequest } from './frames.js';
export { Bell, makeRingMemory, maxFrameBytes, RingReader, RingWriter } from './ring.js';

/** @template T @typedef {import('./frame-fields.js').Field<T>} Field */
/** @template {{ kind: string }} M @typedef {import('./frame-fields.js').KindTable<M>} KindTable */
/** @typedef {import('./frame-fields.js').Kind} Kind */
/** @typedef {import('./frames.js').ProvideReport} ProvideReport */
/** @typedef {import('./frames.js').Question} Question */
/** @typedef {import('./frames.js').Report} Report */
/** @typedef {import('./frames.js').ReportAhead} ReportAhead */
/** @typedef {import('./frames.js').Request} Request */
/** @typedef {import('./frames.js').ResultFrame} ResultFrame */
