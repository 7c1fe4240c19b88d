// Writes a diagram as SVG or Mermaid.

import { writeMermaid } from './mermaid.js';
import { makeScene } from './scene.js';
import { writeSvg } from './svg.js';

/** @import { VatsOutline } from './scene.js' */
/** @import { ObjectsOutline } from './scene-objects.js' */

/** @typedef {import('#reactor').Outline} Outline */

/**
 * Draw a diagram as SVG: nested boxes, laid out from left to right.
 *
 * @param {Outline | VatsOutline | ObjectsOutline} outline
 * @returns {Promise<string>} SVG
 * @throws {UserError} a connection names an unknown vat or port
 */
export const svgDiagram = outline => writeSvg(makeScene(outline));

/**
 * Write a diagram in Mermaid's language, which GitHub shows as a picture in README files.
 *
 * @param {Outline | VatsOutline | ObjectsOutline} outline
 * @returns {string}
 * @throws {UserError} a connection names an unknown vat or port
 */
export const mermaidDiagram = outline => writeMermaid(makeScene(outline));
