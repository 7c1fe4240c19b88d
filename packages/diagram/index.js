// Reactor programs as diagrams: of an outline as `outlineOf` in #reactor makes it, or of the outlines of several vats.

export * from './diagram.js';
export { htmlDiagram } from './page.js';
export { outlineOfModule } from './load-program.js';
export * from './scene.js';

/** @typedef {import('./scene-objects.js').ObjectsOutline} ObjectsOutline */
