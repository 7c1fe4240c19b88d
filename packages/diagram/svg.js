// Draws a scene as SVG. Labels are text, in Inter or a viewer's substitute; tooltips have the details.

import { layOut } from './layout.js';
import { drawItem } from './svg-items.js';
import { textSizes } from './sizes.js';
import { attributes, escapeText, round, text } from './svg-text.js';
import { colours } from './colours.js';

/** @import { Area, Layout, PlacedLink } from './layout.js' */
/** @import { Box, Scene } from './scene.js' */

/** The offset of the second and third sheet of a bank. */
const sheet = 4;

/** @param {Scene} scene */
const titleOf = ({ boxes }) => `Diagram of ${boxes.map(({ title }) => title).join(', ')}`;

/** Whether a part can be opened in a page, by its id. @typedef {(id: string) => boolean} IsOpenable */

/** @type {IsOpenable} for a picture without a page */
const isNot = () => false;

/**
 * @param {Scene} scene
 * @param {object} [options]
 * @param {string} [options.title]  the name for screen readers
 * @param {IsOpenable} [options.isOpenable]  parts that a page opens on a click
 * @returns {Promise<string>}
 */
export const writeSvg = async (scene, { title = titleOf(scene), isOpenable = isNot } = {}) => {
  const layout = await layOut(scene);
  const width = Math.ceil(layout.width) + 2 * sheet;
  const height = Math.ceil(layout.height) + 2 * sheet;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, 'Helvetica Neue', Arial, sans-serif" role="${isOpenable === isNot ? 'img' : 'group'}" aria-label="${escapeText(title)}">`,
    `<title>${escapeText(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...scene.boxes.flatMap(box => drawBox(box, layout, 0, isOpenable)),
    // Links lie over all boxes, and items over links.
    ...layout.links.map(drawLink),
    ...layout.links.map(drawLabel),
    ...scene.boxes.flatMap(box => drawItems(box, layout, isOpenable)),
    '</svg>',
    '',
  ]
    .filter((line, i, all) => line !== '' || i === all.length - 1)
    .join('\n');
};

/**
 * @param {Box} box
 * @param {Layout} layout
 * @param {number} depth
 * @param {IsOpenable} isOpenable
 * @returns {string[]}
 */
const drawBox = (box, layout, depth, isOpenable) => {
  const area = /** @type {Area} */ (layout.areas.get(box.id));
  const { fill, line, lineWidth } = boxStyle(box, depth);
  const frame = (/** @type {number} */ shift) =>
    `<rect${attributes({
      x: area.x + shift,
      y: area.y + shift,
      width: area.width,
      height: area.height,
      rx: box.kind === 'mode' ? 14 : 7,
      fill,
      stroke: line,
      'stroke-width': lineWidth,
      ...(box.kind === 'mode' && !box.isInitial && { 'stroke-dasharray': '5 3' }),
    })}/>`;
  const titleX = area.x + 14;
  const titleY = area.y + 21;
  return [
    ...(box.isMany ? [frame(2 * sheet), frame(sheet)] : []),
    frame(0),
    // The name for screen readers has the visible words.
    opening(box.id, box.subtitle === '' ? box.title : `${box.title} ${box.subtitle}`, isOpenable),
    `<text${attributes({ x: titleX, y: titleY, 'font-size': textSizes.title, fill: colours.ink })}>` +
      `<tspan font-weight="600">${escapeText(box.title)}</tspan>` +
      (box.subtitle === ''
        ? ''
        : ` <tspan${attributes({ dx: 4, 'font-size': textSizes.subtitle, fill: colours.faded })}>${escapeText(box.subtitle)}</tspan>`) +
      '</text>',
    isOpenable(box.id) ? '</g>' : '',
    ...box.boxes.flatMap(inner => drawBox(inner, layout, depth + 1, isOpenable)),
  ];
};

/** @param {Box} box @param {number} depth */
const boxStyle = ({ kind, isInitial }, depth) => {
  if (kind === 'vat') return { fill: colours.vat, line: colours.vatLine, lineWidth: 1.8 };
  if (kind === 'mode') {
    return { fill: colours.mode, line: colours.modeLine, lineWidth: isInitial ? 1.8 : 1.2 };
  }
  return {
    fill: colours.reactors[depth % colours.reactors.length],
    line: colours.reactorLine,
    lineWidth: 1.2,
  };
};

/**
 * The start tag of a group that a page opens; empty for any other part.
 *
 * @param {string} id
 * @param {string} name
 * @param {IsOpenable} isOpenable
 */
const opening = (id, name, isOpenable) =>
  isOpenable(id)
    ? `<g${attributes({ 'data-open': id, tabindex: 0, role: 'button', 'aria-label': `${name}, show its source` })}>`
    : '';

/**
 * @param {Box} box
 * @param {Layout} layout
 * @param {IsOpenable} isOpenable
 * @returns {string[]}
 */
const drawItems = (box, layout, isOpenable) => [
  ...box.ports.flatMap(port => {
    const area = /** @type {Area} */ (layout.areas.get(port.id));
    const label = /** @type {Area} */ (layout.areas.get(`${port.id}_label`));
    const { x, y, width, height } = area;
    const points = [
      [x, y],
      [x + width, y + height / 2],
      [x, y + height],
    ];
    return [
      `<path${attributes({ d: `M${points.map(point => point.map(round).join(' ')).join('L')}Z`, fill: colours.ink })}/>`,
      text(port.label, {
        x: label.x,
        y: label.y + textSizes.port,
        'font-size': textSizes.port,
        fill: colours.faded,
      }),
    ];
  }),
  ...box.items.map(item => {
    const drawn = drawItem(item, /** @type {Area} */ (layout.areas.get(item.id)));
    const begin = opening(item.id, item.label, isOpenable);
    return begin === '' ? drawn : `${begin}${drawn}</g>`;
  }),
  ...box.boxes.flatMap(inner => drawItems(inner, layout, isOpenable)),
];

/** @param {PlacedLink} placed */
const drawLink = ({ link, lines }) => {
  const { stroke, width, dashes, hasArrow } = linkStyle(link);
  const drawn = lines
    .map(points => {
      const line = `<path${attributes({
        d: roundedPath(points),
        fill: 'none',
        stroke,
        'stroke-width': width,
        ...(dashes && { 'stroke-dasharray': dashes }),
      })}/>`;
      return hasArrow ? line + arrow(points, stroke) : line;
    })
    .join('');
  return link.about === undefined
    ? drawn
    : `<g><title>${escapeText(link.about)}</title>${drawn}</g>`;
};

/** @param {PlacedLink['link']} link */
export const linkStyle = ({ kind, isPhysical }) => {
  if (kind === 'connection') {
    return {
      stroke: colours.connection,
      width: 1.5,
      dashes: isPhysical ? '7 3 1.5 3' : '',
      hasArrow: false,
    };
  }
  if (kind === 'messages') {
    return { stroke: colours.connection, width: 1.5, dashes: '', hasArrow: true };
  }
  if (kind === 'transition') {
    return { stroke: colours.modeLine, width: 1.4, dashes: '', hasArrow: true };
  }
  return {
    stroke: colours.link,
    width: 1.1,
    dashes: kind === 'source' || kind === 'holds' ? '3 3' : '',
    hasArrow: kind !== 'effect',
  };
};

const corner = 5;

/** @param {{ x: number, y: number }[]} points  at right angles to each other */
const roundedPath = points => {
  const parts = [`M${round(points[0].x)} ${round(points[0].y)}`];
  for (let i = 1; i < points.length - 1; i += 1) {
    const [before, at, behind] = points.slice(i - 1, i + 2);
    const start = towards(at, before);
    const end = towards(at, behind);
    parts.push(
      `L${round(start.x)} ${round(start.y)}Q${round(at.x)} ${round(at.y)} ${round(end.x)} ${round(end.y)}`,
    );
  }
  const last = points[points.length - 1];
  parts.push(`L${round(last.x)} ${round(last.y)}`);
  return parts.join('');
};

/** @typedef {{ x: number, y: number }} Point */

/** @param {Point} from @param {Point} to */
const towards = (from, to) => {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const part = Math.min(corner, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
};

/** @param {Point[]} points @param {string} fill */
const arrow = (points, fill) => {
  const end = points[points.length - 1];
  const before = points[points.length - 2];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const corners = [
    [end.x, end.y],
    [end.x - 6 * dx - 3 * dy, end.y - 6 * dy + 3 * dx],
    [end.x - 6 * dx + 3 * dy, end.y - 6 * dy - 3 * dx],
  ];
  return `<path${attributes({ d: `M${corners.map(point => point.map(round).join(' ')).join('L')}Z`, fill })}/>`;
};

/** @param {PlacedLink} placed */
const drawLabel = ({ link, label }) => {
  if (label === null) return '';
  const { x, y, width, height } = label;
  const { stroke } = linkStyle(link);
  return (
    `<rect${attributes({ x, y, width, height, rx: 4, fill: '#ffffff', stroke, 'stroke-width': 0.6 })}/>` +
    text(link.label, {
      x: x + width / 2,
      y: y + height / 2 + textSizes.link * 0.36,
      'font-size': textSizes.link,
      'text-anchor': 'middle',
      fill: colours.ink,
    })
  );
};
