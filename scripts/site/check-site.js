// Checks the links of a built site: every file and every heading that a page names must exist.

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** @param {string} html */
const anchorsIn = html => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));

/** @param {string} html */
const targetsIn = html =>
  [...html.matchAll(/<(?:a|img|link|script)\s[^>]*?(?:href|src)="([^"]*)"/g)]
    .map(([, target]) => target.replaceAll('&amp;', '&'))
    .filter(target => target !== '' && !/^([a-z]+:|\/\/)/i.test(target));

/**
 * @param {string} out  the folder of the site
 * @returns {{ files: number, links: number, problems: string[] }}
 */
export const checkSite = out => {
  const pages = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.html'),
  );
  const texts = new Map(pages.map(file => [file, readFileSync(join(out, file), 'utf8')]));
  const anchors = new Map([...texts].map(([file, html]) => [file, anchorsIn(html)]));
  /** @type {string[]} */
  const problems = [];
  let links = 0;
  for (const [file, html] of texts) {
    for (const target of targetsIn(html)) {
      links += 1;
      const [path, anchor = ''] = target.split('#');
      let place =
        path === '' ? file : relative(out, join(out, dirname(file), decodeURIComponent(path)));
      const full = join(out, place);
      if (!existsSync(full)) {
        problems.push(`${file}: there is no ${place} (link "${target}")`);
        continue;
      }
      if (statSync(full).isDirectory()) place = join(place, 'index.html');
      const known = anchors.get(place);
      if (anchor !== '' && known !== undefined && !known.has(decodeURIComponent(anchor)))
        problems.push(`${file}: ${place} has no part #${anchor}`);
    }
  }
  return { files: pages.length, links, problems };
};
