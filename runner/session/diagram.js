// Writes diagrams to files; the ending of the file's name chooses the format.

import fs from 'node:fs';
import { countOf, UserError, quote } from '#model';
import { htmlDiagram, mermaidDiagram, svgDiagram } from '#diagram';

/** @import { ObjectsOutline, Outline, VatsOutline } from '#diagram' */

/** @typedef {Outline | VatsOutline | ObjectsOutline} AnyOutline */

/**
 * @typedef {object} Drawn
 * @property {AnyOutline} outline
 * @property {string} title
 * @property {Map<string, string>} entries  the first file of each vat; the key of a program without
 *   vats is ''
 */

/** @type {Record<string, (drawn: Drawn, out: string) => string | Promise<string | undefined>>} */
const writers = {
  '.svg': ({ outline }) => svgDiagram(outline),
  '.mmd': ({ outline }) => mermaidDiagram(outline),
  '.md': ({ outline }) => `\`\`\`mermaid\n${mermaidDiagram(outline)}\`\`\`\n`,
  '.json': ({ outline }) => `${JSON.stringify(outline, undefined, 1)}\n`,
  '.html': ({ outline, title, entries }) =>
    htmlDiagram(outline, { title, entries, note: describe(outline) }),
  '.png': ({ outline }, out) => draw(outline, out),
  '.pdf': ({ outline }, out) => draw(outline, out),
};

/** Describes the picture in a sentence. @param {AnyOutline} outline */
const describe = outline => {
  if ('reactors' in outline) return '';
  if ('vats' in outline)
    return outline.vats.length === 1
      ? 'A vat with reactors.'
      : `${outline.vats.length} vats with reactors.`;
  const { cranks, isOver } = outline;
  const end = isOver ? 'nothing was left to do' : 'the run was ended, with more to do';
  return `References between vats, and the messages that were delivered: after ${countOf(cranks, 'crank')}, when ${end}.`;
};

/** @param {AnyOutline} outline @param {string} out */
const draw = async (outline, out) => {
  const { renderSvg } = await import('#stats');
  await renderSvg(await svgDiagram(outline), out);
  return undefined;
};

/**
 * @param {Drawn} drawn
 * @param {string} out
 * @throws {UserError} if the ending is unknown, or the file cannot be written
 */
export const drawDiagram = async (drawn, out) => {
  const ending = Object.keys(writers).find(each => out.toLowerCase().endsWith(each));
  if (ending === undefined) {
    throw new UserError(
      `diagram ${quote(out)}: its name says no format; end it in .html, .svg, .png, .pdf, .mmd or .md (Mermaid) or .json (the outline)`,
    );
  }
  const text = await writers[ending](drawn, out);
  if (text === undefined) return;
  try {
    fs.writeFileSync(out, text);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `diagram ${quote(out)} cannot be written (${code}); name a file in a folder that exists and has room`,
      { exitCode: 1 },
    );
  }
};
