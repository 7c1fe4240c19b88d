// Draws packages/imports.svg: the folders of the house and which imports which, read from the sources. An arrow that
// follows from two others is left out, so the picture stays readable; the table under "Imports" in packages/README.md
// has all of them. `node scripts/draw-imports.js` writes the file, `--check` fails if file or table are not up to date.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { loadLibrary } from '#vendored';

/** @import { ElkNode } from 'elkjs' */

const root = join(import.meta.dirname, '..');
const target = join(root, 'packages/imports.svg');

const nodeHeight = 34;
const charWidth = 8.4;

/** Folders whose imports are drawn, by name: those of `packages`, `stats` and `runner`. */
const readFolders = () => {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  const files = ['packages', 'runner', 'stats'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true }).map(path => join(folder, String(path))),
  );
  for (const file of files.filter(path => path.endsWith('.js')).sort()) {
    const parts = file.split(sep);
    if (parts.some(part => ['test', 'testkit', 'create', 'templates'].includes(part))) continue;
    const folder = parts[0] === 'packages' ? parts[1] : parts[0];
    if (!found.has(folder)) found.set(folder, new Set());
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export)\b[^;']*?'#([\w-]+)[^']*'/gm))
      if (name !== folder) found.get(folder)?.add(name);
    for (const [, name] of text.matchAll(/(?:await|return) import\('#([\w-]+)[^']*'\)/g))
      if (name !== folder) found.get(folder)?.add(name);
  }
  // The pattern also finds colours and the like.
  for (const targets of found.values())
    for (const name of targets) if (!found.has(name)) targets.delete(name);
  return found;
};

/**
 * Compares the table of imports in the design with the sources.
 *
 * @param {Map<string, Set<string>>} imports
 * @returns {string[]} the rows that are wrong, as they should be
 */
const findWrongRows = imports => {
  const design = readFileSync(join(root, 'packages/README.md'), 'utf8');
  const table = design.slice(design.indexOf('## Imports'), design.indexOf('## Errors'));
  const listed = new Map(
    [...table.matchAll(/^\| `([\w-]+)` +\| ([^|]*?) *\|/gm)].map(([, folder, names]) => [
      folder,
      names.replaceAll('`', '').split(', ').sort().join(', '),
    ]),
  );
  return [...imports].flatMap(([folder, targets]) => {
    const wanted = [...targets].sort().join(', ') || 'nothing';
    return listed.get(folder) === wanted ? [] : [`${folder}: ${wanted}`];
  });
};

/**
 * Whether a path of imports leads from one folder to another.
 *
 * @param {Map<string, Set<string>>} imports
 * @param {string} from
 * @param {string} to
 * @returns {boolean}
 */
const leadsTo = (imports, from, to) =>
  [...(imports.get(from) ?? [])].some(next => next === to || leadsTo(imports, next, to));

/**
 * The arrows that do not follow from others.
 *
 * @param {Map<string, Set<string>>} imports  without a cycle
 * @returns {[from: string, to: string][]}
 */
const reduceArrows = imports =>
  [...imports].flatMap(([from, targets]) =>
    [...targets]
      .sort()
      .filter(to => ![...targets].some(other => other !== to && leadsTo(imports, other, to)))
      .map(to => /** @type {[string, string]} */ ([from, to])),
  );

/** @param {{ x: number, y: number }[]} points */
const pathOf = points =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ');

/** @param {Map<string, Set<string>>} imports */
const draw = async imports => {
  const Elk = await loadLibrary('elk');
  const elk = new Elk();
  /** @type {ElkNode} */
  const graph = await elk.layout({
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.edgeRouting': 'POLYLINE',
      'elk.spacing.nodeNode': '26',
      'elk.layered.spacing.nodeNodeBetweenLayers': '38',
    },
    children: [...imports.keys()]
      .sort()
      .map(id => ({ id, width: 24 + id.length * charWidth, height: nodeHeight })),
    edges: reduceArrows(imports).map(([from, to]) => ({
      id: `${from}>${to}`,
      sources: [from],
      targets: [to],
    })),
  });
  const { width = 0, height = 0, children = [], edges = [] } = graph;
  const lines = edges.flatMap(({ sections = [] }) =>
    sections.map(({ startPoint, bendPoints = [], endPoint }) => {
      const path = pathOf([startPoint, ...bendPoints, endPoint]);
      return `<path d="${path}" fill="none" stroke="#5b6470" stroke-width="1.4" marker-end="url(#head)"/>`;
    }),
  );
  const boxes = children.map(({ id, x = 0, y = 0, width: w = 0, height: h = 0 }) =>
    [
      `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="5" fill="#eef3fb" stroke="#3d6fb4"/>`,
      `<text x="${x + w / 2}" y="${y + h / 2 + 5}" text-anchor="middle">${id}</text>`,
    ].join(''),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" font-family="Inter, sans-serif" font-size="14" role="img" aria-label="Folders and their imports">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#5b6470"/></marker></defs>',
    ...lines,
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
};

const imports = readFolders();
const picture = await draw(imports);
if (!process.argv.includes('--check')) writeFileSync(target, picture);
else {
  const problems = findWrongRows(imports).map(
    row => `packages/README.md, "Imports": a row is wrong; it should be ${row}`,
  );
  if (readFileSync(target, 'utf8') !== picture)
    problems.push(
      'packages/imports.svg is not that of the sources; run "node scripts/draw-imports.js"',
    );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
