export { isCohort } from './cohort.js';
export { findVirtualLibraries, loadVirtualLibraries } from './libraries.js';
export { makeVirtualData } from './virtual-data.js';
export { baseRefOf, isImportVref, isVirtualVref } from './vrefs.js';

/** @typedef {import('./virtual-data.js').VirtualData} VirtualData */
/** @typedef {import('./libraries.js').VirtualLibraries} VirtualLibraries */
