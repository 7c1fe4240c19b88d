// Draws reactor programs: an outline made by `outlineOf` of #reactor, or the outlines of several vats.

export * from './diagram.js';
export { htmlDiagram } from './page.js';
export { outlineOfModule } from './load-program.js';
export * from './scene.js';

/** @typedef {import('./scene-objects.js').ObjectsOutline} ObjectsOutline */
