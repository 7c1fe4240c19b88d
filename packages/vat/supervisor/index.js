import { makeCurrentSupervisor } from './current.js';
import { makeRawSupervisor } from './raw.js';
import { make2020Supervisor } from './v2020.js';

/** @import { SupervisorOptions } from './supervisor-options.js' */
/** @import { Setup } from './raw.js' */

/** @typedef {Omit<SupervisorOptions, 'buildRoot' | 'makeRoot' | 'onRefused'> & { setup: Setup }} RawSupervisorOptions */

/** The supervisor of each generation of vats, by the profile's notation of bodies. */
export const supervisors = Object.freeze({
  smallcaps: makeCurrentSupervisor,
  qclass: make2020Supervisor,
});

/** Supervisors of raw vats. */
export const rawSupervisors = Object.freeze({
  /** @param {RawSupervisorOptions} options */
  smallcaps: options => makeRawSupervisor(options, { notation: 'smallcaps', endsAtError: true }),
  /** @param {RawSupervisorOptions} options */
  qclass: options => makeRawSupervisor(options, { notation: 'qclass', endsAtError: false }),
});

/** @typedef {import('./life.js').Supervisor} Supervisor */
