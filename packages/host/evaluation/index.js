// What a vat may have evaluated, and what stands behind its evaluators.

export { guardGlobals } from './guarded-compartment.js';
export { guardSource } from './guard-source.js';
export { raiseLoaderWall } from './loader-wall.js';
export { mayImport } from './refuse-import.js';
