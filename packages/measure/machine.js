// Describes the machine of a measurement, which every figure needs.

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

/**
 * Format the machine on one line, without the version of Node.
 *
 * @param {Machine} machine
 */
export const formatMachine = ({ cpu, cores, memoryBytes, system }) =>
  `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${(memoryBytes / 2 ** 30).toFixed(1)} GiB, ${system}`;
