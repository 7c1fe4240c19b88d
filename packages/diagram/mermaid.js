// Writes a scene as a flow chart in Mermaid's language. Mermaid has no ports, so a port is a node in its reactor.

import { showInLine } from '#model';
/** @import { Box, Item, Link, Scene } from './scene.js' */

/** @type {{ [kind in Item['kind']]: [open: string, close: string] }} */
const shapes = {
  reaction: ['{{', '}}'],
  mutation: ['[[', ']]'],
  timer: ['((', '))'],
  logical: ['>', ']'],
  physical: ['>', ']'],
  startup: ['((', '))'],
  shutdown: ['{', '}'],
  reset: ['(((', ')))'],
  transient: ['(', ')'],
  object: ['([', '])'],
};

/** Words that replace signs. @type {Partial<{ [kind in Item['kind']]: string }>} */
const words = { timer: 'timer', logical: 'action', physical: 'physical action' };

/**
 * @param {Scene} scene
 * @returns {string}
 */
export const writeMermaid = scene => {
  /** @type {Map<string, string[]>} ids by class */
  const classes = new Map();
  const note = (/** @type {string} */ kind, /** @type {string} */ id) => {
    const ids = classes.get(kind);
    if (ids === undefined) classes.set(kind, [id]);
    else ids.push(id);
  };
  const lines = [
    'flowchart LR',
    ...scene.boxes.flatMap(box => writeBox(box, '  ', note)),
    ...scene.links.map(writeLink),
    '  classDef reactor fill:#f4f7fb,stroke:#8799ad,color:#1f2933',
    '  classDef mode fill:#fff8e6,stroke:#b7791f,color:#1f2933',
    '  classDef vat fill:#eef7f1,stroke:#3f8f63,color:#1f2933',
    '  classDef port fill:#1f2933,stroke:#1f2933,color:#ffffff',
    '  classDef reaction fill:#d9e2ec,stroke:#52606d,color:#1f2933',
    '  classDef mutation fill:#e9dcf3,stroke:#52606d,color:#1f2933',
    '  classDef sign fill:#ffffff,stroke:#52606d,color:#1f2933',
    ...[...classes].map(([kind, ids]) => `  class ${ids.join(',')} ${kind}`),
  ];
  return `${lines.join('\n')}\n`;
};

/**
 * @param {Box} box
 * @param {string} indent
 * @param {(kind: string, id: string) => void} note
 * @returns {string[]}
 */
const writeBox = (box, indent, note) => {
  const { id, kind, title, subtitle, ports, items, boxes } = box;
  note(kind, id);
  const inner = `${indent}  `;
  const isEmpty = ports.length + items.length + boxes.length === 0;
  if (isEmpty) return [`${indent}${id}[${quoted(title, subtitle)}]`];
  return [
    `${indent}subgraph ${id}[${quoted([title, subtitle].filter(Boolean).join(': '))}]`,
    // A subgraph without links from outside does not inherit the direction.
    `${inner}direction LR`,
    ...ports.map(port => {
      note('port', port.id);
      return `${inner}${port.id}([${quoted(port.label)}])`;
    }),
    ...items.map(({ id: item, kind: of, label, notes, warning = '' }) => {
      note(of === 'reaction' || of === 'mutation' ? of : 'sign', item);
      const [open, close] = shapes[of];
      return `${inner}${item}${open}${quoted(words[of] ?? '', label, ...notes, warning)}${close}`;
    }),
    ...boxes.flatMap(each => writeBox(each, inner, note)),
    `${indent}end`,
  ];
};

/** @param {Link} link */
const writeLink = ({ from, to, kind, label, isPhysical }) => {
  const isDotted = isPhysical || kind === 'source' || kind === 'holds';
  const arrow = isDotted ? '-.->' : kind === 'connection' || kind === 'messages' ? '==>' : '-->';
  return `  ${from} ${arrow}${label === '' ? '' : `|${quoted(label)}|`} ${to}`;
};

/** @param {string[]} lines  empty ones are left out */
const quoted = (...lines) => `"${lines.filter(Boolean).map(escapeText).join('<br>')}"`;

/** @param {string} value  a vat may have chosen it */
const escapeText = value =>
  showInLine(value, Infinity).replaceAll(/[&<>"#;`\t]/g, sign => `#${sign.charCodeAt(0)};`);
