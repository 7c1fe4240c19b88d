// Explains to a person why a hardware counter is missing.

import fs from 'node:fs';

const paranoidFile = '/proc/sys/kernel/perf_event_paranoid';

const readParanoid = () => {
  try {
    return fs.readFileSync(paranoidFile, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** The addon's own error codes, beside the system's: see source/hardware-counters.h and javascript-twin.js. */
const ownErrors = { noInterface: -1, standsStill: -2, noAddon: -3 };

/** Numbers of errors of Linux, the same on x86 and ARM. */
const [
  notPermitted,
  noEntry,
  ioError,
  accessDenied,
  busy,
  noDevice,
  invalid,
  tooMany,
  noCall,
  unsupported,
] = [1, 2, 5, 13, 16, 19, 22, 24, 38, 95];

/**
 * @param {number} error  from the addon
 * @param {object} machine
 * @param {string} machine.platform
 * @param {boolean} machine.isVirtual
 * @param {string} [machine.paranoid]  value of kernel.perf_event_paranoid; read by default
 */
export const explainCounter = (error, { platform, isVirtual, paranoid = readParanoid() }) => {
  const machine = isVirtual
    ? 'this virtual machine hides it'
    : 'the processor or its driver has none';
  switch (error) {
    case ownErrors.noInterface:
      return `${platform === 'darwin' ? 'macOS' : platform === 'win32' ? 'Windows' : platform} lets no program read it`;
    case ownErrors.standsStill:
      return `it stands still${isVirtual ? ': this virtual machine does not count' : ''}`;
    case ownErrors.noAddon:
      return 'the addon is not loaded';
    case notPermitted:
    case accessDenied:
      return Number(paranoid) > 2 || paranoid === undefined
        ? `no permission: set kernel.perf_event_paranoid${paranoid === undefined ? '' : ` (now ${paranoid})`} to 2 or less`
        : 'no permission: the sandbox of this process forbids perf_event_open';
    case noEntry:
    case noDevice:
    case unsupported:
      return `no counter: ${machine}`;
    case noCall:
      return 'the system has no perf_event_open';
    case busy:
      return 'others use it';
    case tooMany:
      return 'too many files are open';
    case invalid:
    case ioError:
    default:
      return `perf_event_open refuses it (error ${error})`;
  }
};
