// The pages of the site: each Markdown file of the repository, rendered by Eleventy, with the sections of docs/README.md at
// its side. Links between Markdown files become links between pages; other files of the repository that pages name are
// copied, so that all can be read without a network.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { escapeHtml } from '../../packages/model/html.js';
import { anchorsOf, targetsOf } from '../house/links.js';

/** The place of a page in the site: `README.md` is a folder's `index.html`. @param {string} file */
export const pageOf = file =>
  file.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

/**
 * @param {string} from  a page
 * @param {string} to  a file of the site
 */
const relative = (from, to) => posix.relative(posix.dirname(from), to) || posix.basename(to);

/**
 * @typedef {object} Pages
 * @property {string} root
 * @property {Set<string>} sources  Markdown files that are pages
 * @property {Set<string>} copies  other files that pages name
 */

/**
 * A link of a Markdown file as one of its page.
 *
 * @param {Pages} pages
 * @param {string} source  the file
 * @param {string} target
 * @returns {string | undefined}  undefined for a folder that has no page
 */
const siteLink = ({ root, sources, copies }, source, target) => {
  if (/^([a-z]+:|#)/i.test(target)) return target;
  const [path, anchor = ''] = target.split('#');
  const hash = anchor === '' ? '' : `#${anchor}`;
  const file = posix
    .normalize(posix.join(posix.dirname(source), decodeURI(path)))
    .replace(/\/$/, '');
  const index = posix.join(file, 'README.md');
  if (sources.has(file)) return relative(pageOf(source), pageOf(file)) + hash;
  if (sources.has(index)) return relative(pageOf(source), pageOf(index)) + hash;
  if (!existsSync(join(root, file)) || statSync(join(root, file)).isDirectory()) return undefined;
  copies.add(file);
  return relative(pageOf(source), file) + hash;
};

/** @typedef {{ name: string, target: string }} NamedLink */

/**
 * The sections of docs/README.md: titles, and links with their names. A line may begin with the name of its group, `Vats: …`.
 *
 * @param {string} root
 * @returns {{ title: string, groups: { name: string, links: NamedLink[] }[] }[]}
 */
const readSections = root =>
  readFileSync(join(root, 'docs/README.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map(section => ({
      title: section.slice(0, section.indexOf('\n')).trim(),
      groups: [...section.matchAll(/^- (?:([^[\n:]+): )?(.*)$/gm)].map(([, name = '', rest]) => ({
        name,
        links: [...rest.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, target]) => ({
          name: text.replaceAll('`', ''),
          target,
        })),
      })),
    }));

const style = readFileSync(new URL('site.css', import.meta.url), 'utf8');

/**
 * @param {Pages} pages
 * @param {ReturnType<typeof readSections>} sections
 * @param {string} source
 * @param {string} content  HTML
 */
const wrapPage = (pages, sections, source, content) => {
  const page = pageOf(source);
  // An empty corner cell is no heading.
  const text = content.replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>');
  const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(content)?.[1].replace(/<[^>]*>/g, '') ?? source;
  const item = (/** @type {NamedLink} */ { name, target }) => {
    const file = siteLink(pages, 'docs/README.md', target);
    if (file === undefined) return '';
    const href = /^[a-z]+:/i.test(file) ? file : relative(page, posix.join('docs', file));
    const isHere = posix.join(posix.dirname(page), href) === page;
    return `<li><a href="${escapeHtml(href)}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`;
  };
  const group = (/** @type {{ name: string, links: NamedLink[] }} */ { name, links }) =>
    `${name === '' ? '' : `<p class="group">${escapeHtml(name)}</p>`}<ul>${links.map(item).join('')}</ul>`;
  const navigation = sections.map(
    ({ title: name, groups }) =>
      `<p class="section">${escapeHtml(name)}</p>${groups.map(group).join('')}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(title)}: documentation of swingset-runner">
<title>${title} · swingset-runner</title>
<style>
${style}</style>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<nav aria-label="Documentation">
<p><a class="home" href="${relative(page, 'index.html')}">swingset-runner</a></p>
${navigation.join('\n')}
<p class="section">Types</p><ul><li><a href="${relative(page, 'api/index.html')}">All entries and their types</a></li></ul>
</nav>
<main id="content">
${text}
</main>
</body>
</html>
`;
};

/** @param {string} root @returns {string[]} Markdown files that are for readers */
const findSources = root =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root })
    .toString()
    .trim()
    .split('\n')
    .filter(file => existsSync(join(root, file)))
    .filter(file => !/(^|\/)(fixtures|snapshots|templates|reference\/compatibility)\//.test(file));

/**
 * Lets Markdown's headings have the anchors that GitHub gives them, and its links lead to pages.
 *
 * @param {any} markdown  markdown-it
 * @param {Pages} pages
 */
const adaptMarkdown = (markdown, pages) => {
  markdown.core.ruler.push('swingset-runner', (/** @type {any} */ state) => {
    const source = posix.normalize(state.env.page.inputPath);
    const anchors = [...anchorsOf(state.src)];
    const walk = (/** @type {any[]} */ tokens) => {
      for (const token of tokens) {
        if (token.type === 'heading_open') token.attrSet('id', anchors.shift());
        if (token.type === 'fence') token.attrSet('tabindex', '0');
        if (token.type === 'link_open') {
          const href = siteLink(pages, source, token.attrGet('href'));
          if (href === undefined) token.attrs = [];
          else token.attrSet('href', href);
        }
        if (token.type === 'image')
          token.attrSet('src', siteLink(pages, source, token.attrGet('src')) ?? '');
        if (token.children) walk(token.children);
      }
    };
    walk(state.tokens);
  });
  // A wide table scrolls; several of a page have names of their own.
  markdown.renderer.rules.table_open = (/** @type {any[]} */ tokens, /** @type {number} */ at) => {
    const number = tokens.slice(0, at + 1).filter(({ type }) => type === 'table_open').length;
    return `<div class="wide" tabindex="0" role="region" aria-label="Table ${number}"><table>\n`;
  };
  markdown.renderer.rules.table_close = () => '</table></div>\n';
};

/**
 * @param {{ root: string, out: string }} folders
 * @returns {Promise<number>} how many pages there are
 */
export const buildPages = async ({ root, out }) => {
  // It is installed beside this file, and not with the project.
  const library = '@11ty/eleventy';
  const { default: Eleventy } = await import(library);
  /** @type {Pages} */
  const pages = { root, sources: new Set(findSources(root)), copies: new Set() };
  const sections = readSections(root);
  process.chdir(root);
  const eleventy = new Eleventy('.', out, {
    quietMode: true,
    configPath: null,
    config: (/** @type {any} */ config) => {
      config.setTemplateFormats(['md']);
      config.setUseGitIgnore(true);
      config.ignores.add('**/{fixtures,snapshots,templates,node_modules}/**');
      config.ignores.add('site/**');
      config.addGlobalData('eleventyComputed', {
        permalink: (/** @type {any} */ { page }) => pageOf(posix.normalize(page.inputPath)),
      });
      config.amendLibrary('md', (/** @type {any} */ markdown) => adaptMarkdown(markdown, pages));
      config.addTransform(
        'page',
        /** @this {any} */ function wrap(/** @type {string} */ content) {
          return wrapPage(pages, sections, posix.normalize(this.page.inputPath), content);
        },
      );
      return { markdownTemplateEngine: false, dir: { input: '.', output: out } };
    },
  });
  await eleventy.write();
  for (const file of [...pages.copies, ...namedByMarkup(pages)]) {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    copyFileSync(join(root, file), join(out, file));
  }
  writeFileSync(join(out, '.nojekyll'), '');
  return pages.sources.size;
};

/** Files that HTML within Markdown names. @param {Pages} pages */
const namedByMarkup = ({ root, sources }) =>
  [...sources].flatMap(source =>
    targetsOf(readFileSync(join(root, source), 'utf8'))
      .filter(target => /\.(png|svg)$/.test(target))
      .map(target => posix.normalize(posix.join(posix.dirname(source), target))),
  );
