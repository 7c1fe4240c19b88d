import { makeCurrentSupervisor } from './current.js';
import { make2020Supervisor } from './v2020.js';

/** The supervisor of each generation of vats, by the profile's notation of bodies. */
export const supervisors = Object.freeze({
  smallcaps: makeCurrentSupervisor,
  qclass: make2020Supervisor,
});

/** @typedef {ReturnType<typeof makeCurrentSupervisor>} Supervisor */
