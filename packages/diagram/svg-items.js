// Draws items as SVG. A reaction is an arrow with a notch, as in Lingua Franca's diagrams; an action is a triangle with
// an L or a P in it, a timer a clock, startup a circle, shutdown a diamond.

import { colours } from './colours.js';
import { reactionTip, signSize, textSizes } from './sizes.js';
import { attributes, escapeText, text } from './svg-text.js';

/** @import { Area } from './layout.js' */
/** @import { Item } from './scene.js' */

/**
 * @param {Item} item
 * @param {Area} area
 */
export const drawItem = (item, area) => {
  const { kind } = item;
  const shape =
    kind === 'reaction' || kind === 'mutation'
      ? drawReaction(item, area)
      : kind === 'transient' || kind === 'object'
        ? drawRounded(item, area)
        : drawSign(item, area);
  return `<g><title>${escapeText(item.about)}</title>${shape}</g>`;
};

/**
 * Label and notes, centred.
 *
 * @param {Item} item
 * @param {number} x
 * @param {number} y  base line of the label
 */
const lines = ({ label, notes, warning }, x, y) =>
  [
    text(label, {
      x,
      y,
      'font-size': textSizes.item,
      'font-weight': 600,
      'text-anchor': 'middle',
      fill: colours.ink,
    }),
    ...[...notes, ...(warning === undefined ? [] : [warning])].map((line, i) =>
      text(line, {
        x,
        y: y + 13 * (i + 1),
        'font-size': textSizes.note,
        'text-anchor': 'middle',
        fill: line === warning ? colours.warning : colours.faded,
      }),
    ),
  ].join('');

/** @param {Item} item @param {Area} area */
const drawReaction = (item, { x, y, width, height }) => {
  const right = x + width;
  const middle = y + height / 2;
  const path = `M${x} ${y}H${right - reactionTip}L${right} ${middle}L${right - reactionTip} ${y + height}H${x}L${x + reactionTip} ${middle}Z`;
  return (
    `<path${attributes({
      d: path,
      fill: item.kind === 'mutation' ? colours.mutation : colours.reaction,
      stroke: item.warning === undefined ? colours.reactionLine : colours.warning,
      'stroke-width': 1.1,
      'stroke-linejoin': 'round',
    })}/>` + lines(item, x + width / 2 + reactionTip / 2, y + 16)
  );
};

/** @param {Item} item @param {Area} area */
const drawRounded = (item, { x, y, width, height }) =>
  `<rect${attributes({
    ...{ x, y, width, height, rx: 7 },
    fill: colours.sign,
    stroke: colours.reactorLine,
    'stroke-width': 1.2,
    'stroke-dasharray': '4 3',
  })}/>` + lines(item, x + width / 2, y + 16);

/** @param {Item} item @param {Area} area */
const drawSign = (item, { x, y, width }) => {
  const middle = x + width / 2;
  const centre = y + signSize / 2;
  return sign(item.kind, middle, centre) + lines(item, middle, y + signSize + 13);
};

/**
 * @param {Item['kind']} kind
 * @param {number} x  of the centre
 * @param {number} y
 */
const sign = (kind, x, y) => {
  const r = signSize / 2 - 1;
  const style = { fill: colours.sign, stroke: colours.reactionLine, 'stroke-width': 1.2 };
  const letter = (/** @type {string} */ content, /** @type {number} */ dy) =>
    text(content, {
      x,
      y: y + dy,
      'font-size': 10,
      'font-weight': 600,
      'text-anchor': 'middle',
      fill: colours.ink,
    });
  switch (kind) {
    case 'timer':
      return (
        `<circle${attributes({ cx: x, cy: y, r, ...style })}/>` +
        `<path${attributes({ d: `M${x} ${y - r + 4}V${y}L${x + 5} ${y + 4}`, ...style, fill: 'none', 'stroke-linecap': 'round' })}/>`
      );
    case 'logical':
    case 'physical':
      return (
        `<path${attributes({ d: `M${x} ${y - r}L${x + r} ${y + r - 1}H${x - r}Z`, ...style, 'stroke-linejoin': 'round' })}/>` +
        letter(kind === 'logical' ? 'L' : 'P', 8)
      );
    case 'shutdown':
      return `<path${attributes({ d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`, ...style, 'stroke-linejoin': 'round' })}/>`;
    case 'reset':
      return (
        `<circle${attributes({ cx: x, cy: y, r, ...style })}/>` +
        `<circle${attributes({ cx: x, cy: y, r: r - 4, ...style, fill: 'none' })}/>`
      );
    default:
      return `<circle${attributes({ cx: x, cy: y, r, ...style })}/>`;
  }
};
