// Links of Markdown files to files of the project, and to headings.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** @import { House } from './house.js' */

/** @param {string} text  Markdown */
const withoutCode = text =>
  text.replace(/^(```|~~~)[^]*?^\1/gm, '').replace(/`[^`\n]*`/g, match => ' '.repeat(match.length));

/**
 * The anchors of a page, as GitHub makes them.
 *
 * @param {string} text
 * @returns {Set<string>}
 */
export const anchorsOf = text => {
  const seen = new Map();
  const anchors = [...text.replace(/^(```|~~~)[^]*?^\1/gm, '').matchAll(/^#{1,6} +(.+)$/gm)].map(
    ([, title]) => {
      const anchor = title
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-');
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    },
  );
  return new Set(anchors);
};

/**
 * @param {string} text
 * @returns {string[]} targets of links and pictures that are no address
 */
export const targetsOf = text =>
  [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|(?:src|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => link ?? attribute)
    .filter(target => !/^[a-z]+:/i.test(target));

/**
 * @param {House} house
 * @returns {string[]} problems
 */
export const checkLinks = ({ root, files }) =>
  files
    .filter(file => file.endsWith('.md') && !/(^|\/)(fixtures|snapshots|templates)\//.test(file))
    .flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8');
      return targetsOf(text).flatMap(target => {
        const [name, anchor] = target.split('#');
        const place = name === '' ? file : normalize(join(dirname(file), decodeURI(name)));
        const path = join(root, place);
        if (!existsSync(path)) return [`${file}: there is no ${place} (link "${target}")`];
        if (anchor === undefined || !place.endsWith('.md') || statSync(path).isDirectory())
          return [];
        return anchorsOf(readFileSync(path, 'utf8')).has(anchor)
          ? []
          : [`${file}: ${place} has no heading #${anchor} (link "${target}")`];
      });
    });
