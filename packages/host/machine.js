// The machine that a run was made on, as a report names it.

import os from 'node:os';

/** @typedef {{ cpu: string, cores: number, memoryBytes: number, system: string, node: string }} Machine */

/** @returns {Machine} */
export const describeMachine = () => {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() || 'unknown',
    cores: cpus.length,
    memoryBytes: os.totalmem(),
    system: `${os.platform()} ${os.release()} ${os.arch()}`,
    node: process.version,
  };
};
