// Guards the evaluators of vats, and the host's module loader behind them.

export { guardGlobals } from './guarded-compartment.js';
export { makeGuard } from './guard-source.js';
export { raiseLoaderWall } from './loader-wall.js';
export { mayImport } from './refuse-import.js';
export { findRefused, rewriteModule, suspicious } from './parse-source.js';
export { checkRegExps } from './checked-regexp.js';
export { mayHavePower } from './rewrite-power.js';
export { mayHaveTagged, rewriteTemplates } from './rewrite-templates.js';
export { makeTemplateObject, templateName } from './template-objects.js';
export { isTooDeep, mostLevels, walk } from './syntax-tree.js';
