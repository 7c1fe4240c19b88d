// One run over several machines: a replicated log, a leader that runs the kernel, and hosts for its vats.

export { connectNats } from './nats-cluster.js';
export { parseClusterUrl } from './nats-connection.js';
export { insistName, namesOf } from './names.js';
export { Unacknowledged } from './interface.js';
export { DamagedRun, readLog } from './log-reader.js';
export { LeadershipLost } from './leader-log.js';

/** @typedef {import('./interface.js').Cluster} Cluster */
