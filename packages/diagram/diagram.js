// The two forms of a diagram.

import { writeMermaid } from './mermaid.js';
import { makeScene } from './scene.js';
import { writeSvg } from './svg.js';

/** @import { VatsOutline } from './scene.js' */

/** @typedef {import('#reactor').Outline} Outline */

/**
 * A diagram as SVG: boxes in boxes, laid out from left to right.
 *
 * @param {Outline | VatsOutline} outline
 * @returns {Promise<string>}
 */
export const svgDiagram = outline => writeSvg(makeScene(outline));

/**
 * The same as text for Mermaid, which README files on GitHub show as a picture.
 *
 * @param {Outline | VatsOutline} outline
 * @returns {string}
 */
export const mermaidDiagram = outline => writeMermaid(makeScene(outline));
