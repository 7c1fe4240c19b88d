// Computes positions and sizes by ELK's layered layout, which Lingua Franca's own diagrams use. The library is large,
// so it is loaded on demand.

import { loadLibrary } from '#vendored';
import { sizeOfBox, sizeOfItem, textSizes } from './sizes.js';
import { textWidth } from './text-width.js';

/** @import { ElkExtendedEdge, ElkNode } from 'elkjs' */
/** @import { Box, Item, Link, Scene } from './scene.js' */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { width: number, height: number }} Area */
/** @typedef {{ link: Link, lines: Point[][], label: Area | null }} PlacedLink */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {Map<string, Area>} areas  of boxes, items and ports, by id
 * @property {PlacedLink[]} links
 */

const spacing = {
  'elk.spacing.nodeNode': '14',
  'elk.spacing.edgeNode': '12',
  'elk.spacing.edgeEdge': '8',
  'elk.spacing.portPort': '8',
  'elk.spacing.labelPortHorizontal': '5',
  'elk.spacing.labelPortVertical': '2',
  'elk.spacing.edgeLabel': '3',
  'elk.layered.spacing.nodeNodeBetweenLayers': '24',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
};

const rootOptions = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.padding': '[top=16,left=16,bottom=16,right=16]',
  'elk.layered.considerModelOrder.strategy': 'PREFER_EDGES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  ...spacing,
};

/** @param {Item} item @returns {ElkNode} */
const itemNode = item => {
  const { width, height, middleY: y } = sizeOfItem(item);
  const end = { y, width: 0, height: 0 };
  return {
    id: item.id,
    width,
    height,
    layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
    ports: [
      { id: `${item.id}_in`, ...end, x: 0, layoutOptions: { 'elk.port.side': 'WEST' } },
      { id: `${item.id}_out`, ...end, x: width, layoutOptions: { 'elk.port.side': 'EAST' } },
    ],
  };
};

/** @param {Box} box @returns {ElkNode} */
const boxNode = box => {
  const { width, height, top } = sizeOfBox(box);
  return {
    id: box.id,
    width,
    height,
    layoutOptions: {
      ...spacing,
      'elk.padding': `[top=${top},left=14,bottom=12,right=14]`,
      'elk.nodeSize.constraints': '[PORTS, PORT_LABELS, MINIMUM_SIZE]',
      'elk.nodeSize.minimum': `(${width},${height})`,
      'elk.portConstraints': 'FIXED_SIDE',
      'elk.portLabels.placement': '[INSIDE]',
      'elk.spacing.portsSurrounding': `[top=${top},left=0,bottom=6,right=0]`,
    },
    ports: box.ports.map(({ id, label, isInput }) => ({
      id,
      width: 8,
      height: 8,
      layoutOptions: {
        'elk.port.side': isInput ? 'WEST' : 'EAST',
        'elk.port.borderOffset': '-4',
      },
      labels: [{ text: label, width: textWidth(label, textSizes.port), height: 13 }],
    })),
    children: [...box.items.map(itemNode), ...box.boxes.map(boxNode)],
  };
};

/**
 * @param {Scene} scene
 * @returns {Promise<Layout>}
 */
export const layOut = async scene => {
  const Elk = await loadLibrary('elk');
  const items = itemsOf(scene);
  const edges = scene.links.map((link, i) => edgeOf(link, i, items));
  const children = scene.boxes.map(boxNode);
  const elk = new Elk();
  const graph = { id: 'root', layoutOptions: rootOptions, children, edges };
  return readLayout(await elk.layout(graph), scene.links, items);
};

/** @param {Scene} scene @returns {Map<string, Item>} by id */
const itemsOf = scene => {
  /** @type {Map<string, Item>} */
  const found = new Map();
  const walk = (/** @type {Box} */ { items, boxes }) => {
    for (const item of items) found.set(item.id, item);
    boxes.forEach(walk);
  };
  scene.boxes.forEach(walk);
  return found;
};

/**
 * @param {Link} link
 * @param {number} number
 * @param {Map<string, Item>} items
 * @returns {ElkExtendedEdge}
 */
const edgeOf = ({ from, to, label, mayGoBack }, number, items) => ({
  id: `e${number}`,
  sources: [items.has(from) ? `${from}_out` : from],
  targets: [items.has(to) ? `${to}_in` : to],
  // In a cycle, draw a link with a delay from right to left.
  layoutOptions: { 'elk.layered.priority.direction': mayGoBack ? '1' : '10' },
  ...(label !== '' && {
    labels: [
      {
        text: label,
        width: textWidth(label, textSizes.link) + 8,
        height: 15,
        layoutOptions: { 'elk.edgeLabels.inline': 'true', 'elk.edgeLabels.placement': 'CENTER' },
      },
    ],
  }),
});

/**
 * @param {ElkNode} graph  laid out
 * @param {Link[]} links
 * @param {Map<string, Item>} items
 * @returns {Layout}
 */
const readLayout = (graph, links, items) => {
  const areas = readAreas(graph);
  const placed = (graph.edges ?? []).map((edge, i) => {
    // An edge's coordinates are those of the box that it lies in.
    const origin = /** @type {Area} */ (areas.get(/** @type {any} */ (edge).container ?? 'root'));
    const lines = (edge.sections ?? []).map(({ startPoint, bendPoints = [], endPoint }) =>
      [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({
        x: origin.x + x,
        y: origin.y + y,
      })),
    );
    const { from, to } = links[i];
    const [source, target] = [items.get(from), items.get(to)];
    // An item's area includes its text; extend the line to the sign in the middle of the area.
    for (const line of lines) {
      if (source !== undefined) line[0].x -= sizeOfItem(source).insetOut;
      if (target !== undefined) line[line.length - 1].x += sizeOfItem(target).insetIn;
    }
    const [label] = edge.labels ?? [];
    return { link: links[i], lines, label: label === undefined ? null : areaOf(label, origin) };
  });
  return { width: graph.width ?? 0, height: graph.height ?? 0, areas, links: placed };
};

/**
 * @param {{ x?: number, y?: number, width?: number, height?: number }} shape
 * @param {Point} origin
 * @returns {Area}
 */
const areaOf = ({ x = 0, y = 0, width = 0, height = 0 }, origin) => ({
  ...{ x: origin.x + x, y: origin.y + y },
  ...{ width, height },
});

/** @param {ElkNode} graph */
const readAreas = graph => {
  /** @type {Layout['areas']} */
  const areas = new Map([['root', areaOf({}, { x: 0, y: 0 })]]);
  const walk = (/** @type {ElkNode} */ { children = [] }, /** @type {Point} */ origin) => {
    for (const child of children) {
      const area = areaOf(child, origin);
      areas.set(child.id, area);
      for (const port of child.ports ?? []) {
        const place = areaOf(port, area);
        areas.set(port.id, place);
        for (const label of port.labels ?? []) areas.set(`${port.id}_label`, areaOf(label, place));
      }
      walk(child, area);
    }
  };
  walk(graph, { x: 0, y: 0 });
  return areas;
};
