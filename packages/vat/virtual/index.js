// The exports that do not load the libraries of virtual data; the rest comes with `loadVirtualTools`.

export { isCohort } from './cohort.js';
export { findVirtualTools, loadVirtualTools } from './libraries.js';
export { baseRefOf, isImportVref, isVirtualVref } from './vrefs.js';

/** @typedef {import('./virtual-data.js').VirtualData} VirtualData */
/** @typedef {import('./libraries.js').VirtualTools} VirtualTools */
