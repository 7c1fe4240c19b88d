// The legend of a diagram: each sign in it, with its meaning.

import { drawItem } from './svg-items.js';
import { linkStyle } from './svg.js';
import { signSize } from './sizes.js';
import { attributes } from './svg-text.js';

/** @import { Box, Item, Link, Scene } from './scene.js' */

/** @type {{ [kind in Item['kind']]: string }} */
const itemNames = {
  reaction: 'reaction; those of lower levels run first',
  mutation: 'mutation, a reaction that may change what the reactor contains',
  timer: 'timer',
  logical: 'logical action',
  physical: 'physical action',
  startup: 'startup',
  shutdown: 'shutdown',
  reset: 'reset',
  transient: 'place for transient children',
  object: 'objects of a vat that others hold, by the name of their interface',
};

/** @type {{ [kind in Link['kind']]: string }} */
const linkNames = {
  connection: 'connection between ports',
  trigger: 'triggers',
  source: 'is read without triggering',
  effect: 'is written or scheduled',
  transition: 'transition to a mode',
  holds: 'holds an object',
  messages: 'messages that were delivered',
};

const width = 40;
const height = 28;

/** @param {string} content */
const drawing = content =>
  `<svg aria-hidden="true" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

/** @param {Item['kind']} kind */
const itemSign = kind => {
  const item = { id: '', kind, label: '', notes: [], about: itemNames[kind] };
  const isWide = ['reaction', 'mutation', 'transient', 'object'].includes(kind);
  const size = isWide ? { width: 36, height: 20 } : { width: signSize, height: signSize };
  return drawing(
    drawItem(item, { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size }),
  );
};

/** @param {Link['kind']} kind */
const linkSign = kind => {
  const {
    stroke,
    width: lineWidth,
    dashes,
    hasArrow,
  } = linkStyle(/** @type {Link} */ ({ kind, isPhysical: false }));
  const y = height / 2;
  const line = `<path${attributes({ d: `M2 ${y}H${width - 4}`, stroke, 'stroke-width': lineWidth, ...(dashes && { 'stroke-dasharray': dashes }) })}/>`;
  const end = width - 2;
  return drawing(
    hasArrow
      ? `${line}<path${attributes({ d: `M${end} ${y}L${end - 7} ${y - 4}V${y + 4}Z`, fill: stroke })}/>`
      : line,
  );
};

/**
 * @param {Scene} scene
 * @returns {{ sign: string, name: string }[]}  `sign`: SVG
 */
export const legendOf = ({ boxes, links }) => {
  /** @type {Set<Item['kind']>} */
  const kinds = new Set();
  const walk = (/** @type {Box} */ box) => {
    for (const { kind } of box.items) kinds.add(kind);
    box.boxes.forEach(walk);
  };
  boxes.forEach(walk);
  const linkKinds = new Set(links.map(({ kind }) => kind));
  return [
    ...[...kinds].map(kind => ({ sign: itemSign(kind), name: itemNames[kind] })),
    ...[...linkKinds].map(kind => ({ sign: linkSign(kind), name: linkNames[kind] })),
  ];
};
