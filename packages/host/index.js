// Outside the vats: lockdown, compartments, bundles, config, clocks, transports, `settle()`. It joins everything
// into a simulation. This is what `import … from 'swingset-runner'` gives.

export { loadConfig } from './config/index.js';
export { describeVatError, describeErrorBriefly } from './compartment/index.js';
export { ensureLockdown } from './lockdown.js';
export { makeSimulation } from './simulation.js';
export { makeMemoryStore, openLmdbStore } from '#store';
export { UserError } from '#model';

/** @typedef {import('./simulation.js').Simulation} Simulation */
