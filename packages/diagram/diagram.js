// The two forms of a diagram.

import { writeMermaid } from './mermaid.js';
import { makeScene } from './scene.js';
import { writeSvg } from './svg.js';

/** @import { VatsOutline } from './scene.js' */
/** @import { ObjectsOutline } from './scene-objects.js' */

/** @typedef {import('#reactor').Outline} Outline */

/**
 * A diagram as SVG: boxes in boxes, laid out from left to right.
 *
 * @param {Outline | VatsOutline | ObjectsOutline} outline
 * @returns {Promise<string>}
 */
export const svgDiagram = outline => writeSvg(makeScene(outline));

/**
 * Draws the diagram as text for Mermaid, which README files on GitHub show as a picture.
 *
 * @param {Outline | VatsOutline | ObjectsOutline} outline
 * @returns {string}
 */
export const mermaidDiagram = outline => writeMermaid(makeScene(outline));
