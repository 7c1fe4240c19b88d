// Diagrams as files: the ending of the name says what.

import fs from 'node:fs';
import { UserError, quote } from '#model';
import { mermaidDiagram, svgDiagram } from '#diagram';

/** @import { Outline, VatsOutline } from '#diagram' */

/** @type {Record<string, (outline: Outline | VatsOutline, out: string) => string | Promise<string | undefined>>} */
const writers = {
  '.svg': outline => svgDiagram(outline),
  '.mmd': outline => mermaidDiagram(outline),
  '.md': outline => `\`\`\`mermaid\n${mermaidDiagram(outline)}\`\`\`\n`,
  '.json': outline => `${JSON.stringify(outline, undefined, 1)}\n`,
  '.png': (outline, out) => draw(outline, out),
  '.pdf': (outline, out) => draw(outline, out),
};

/** @param {Outline | VatsOutline} outline @param {string} out */
const draw = async (outline, out) => {
  const { renderSvg } = await import('#stats');
  await renderSvg(await svgDiagram(outline), out);
  return undefined;
};

/**
 * @param {Outline | VatsOutline} outline
 * @param {string} out
 * @throws {UserError} for an ending that says no format, or a file that cannot be written
 */
export const drawDiagram = async (outline, out) => {
  const ending = Object.keys(writers).find(each => out.toLowerCase().endsWith(each));
  if (ending === undefined) {
    throw new UserError(
      `diagram ${quote(out)}: its name says no format; end it in .svg, .png, .pdf, .mmd or .md (Mermaid) or .json (the outline)`,
    );
  }
  const text = await writers[ending](outline, out);
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
