// The content of a diagram: boxes, their items, and the links between items, without sizes or positions. Mermaid and
// SVG are both written from a scene.

import { UserError, formatExactDuration, insistArgument } from '#model';
import { addObjects } from './scene-objects.js';
import { addReactions } from './scene-reactions.js';

/** @import { Outline, OutlineConnection, OutlineReactor } from '#reactor' */
/** @import { ObjectsOutline } from './scene-objects.js' */

/**
 * A program in several vats: each vat's reactors, and the connections between their ports.
 *
 * @typedef {object} VatsOutline
 * @property {{ name: string, outline: Outline }[]} vats
 * @property {VatConnection[]} connections
 */

/**
 * @typedef {object} VatConnection
 * @property {{ vat: string, port: string }} from  a port of the vat's main reactor
 * @property {{ vat: string, port: string }} to
 * @property {number} [channels]  default: 1
 * @property {[from: number, to: number, count: number][]} [runs]  the connected channels, as in an outline's
 *   connections; default: the first ones
 * @property {number | null} [delayNs]  of `after`; default: null, no delay
 * @property {boolean} [isPhysical]
 */

/**
 * The names by which a part is found in the sources of its program.
 *
 * @typedef {object} Seek
 * @property {string} vat  '' for a program outside of vats
 * @property {string} [class]  of the reactor
 * @property {string} [member]  the field of a reaction
 * @property {string} [iface]  the name of an object's interface
 */

/**
 * A reactor, a mode of one, or a vat.
 *
 * @typedef {object} Box
 * @property {string} id
 * @property {'reactor' | 'mode' | 'vat'} kind
 * @property {string} title
 * @property {string} subtitle  empty for none
 * @property {boolean} isMany  whether it is a bank of equal reactors
 * @property {boolean} isInitial  whether it is the initial mode
 * @property {{ id: string, label: string, isInput: boolean }[]} ports
 * @property {Box[]} boxes
 * @property {Item[]} items
 * @property {Seek} [seek]
 */

/**
 * @typedef {object} Item
 * @property {string} id
 * @property {'reaction' | 'mutation' | 'timer' | 'logical' | 'physical' | 'startup' | 'shutdown' | 'reset' | 'transient' | 'object'} kind
 * @property {string} label
 * @property {string[]} notes  lines under the label
 * @property {string} [warning]  a last line: a deadline
 * @property {string} about  the text of its tooltip
 * @property {Seek} [seek]
 */

/**
 * @typedef {object} Link
 * @property {string} from  id of a port, an item or a box
 * @property {string} to
 * @property {'connection' | 'trigger' | 'source' | 'effect' | 'transition' | 'holds' | 'messages'} kind
 * @property {string} label  empty for none
 * @property {boolean} isPhysical
 * @property {boolean} mayGoBack  whether it takes time, so that it is drawn backwards in a cycle
 * @property {string} [about]  the text of its tooltip
 */

/** @typedef {{ boxes: Box[], links: Link[] }} Scene */

/** Where in a scene the parts of an outline are. @typedef {{ prefix: string, hasStages: boolean, boxes: Box[], scene: Scene }} Place */

/**
 * @param {Outline | VatsOutline | ObjectsOutline} outline
 * @returns {Scene}
 * @throws {UserError} if a connection names an unknown vat or port
 * @throws {TypeError} for anything but an outline
 */
export const makeScene = outline => {
  const wanted = 'an outline: of outlineOf(), outlineOfModule() or simulation.outlines()';
  insistArgument('a diagram', outline, 'object', wanted);
  /** @type {Scene} */
  const scene = { boxes: [], links: [] };
  if ('reactors' in outline) {
    addOutline(scene, outline, '', null);
    return scene;
  }
  if ('objects' in outline) {
    addObjects(scene, outline);
    return scene;
  }
  insistArgument('a diagram', outline, { vats: 'array', connections: 'array' }, wanted);
  const stages = outline.vats.flatMap(({ outline: { reactors } }) => reactors.flatMap(stagesOf));
  const hasStages = new Set(stages).size > 1;
  outline.vats.forEach(({ name, outline: inner }, i) =>
    addOutline(scene, inner, `v${i}_`, { name, hasStages }),
  );
  for (const connection of outline.connections) addVatConnection(scene, outline, connection);
  return scene;
};

/** @param {OutlineReactor} reactor */
const stagesOf = ({ reactions }) => reactions.map(({ stage }) => stage);

/** @param {OutlineReactor} reactor @param {string} port */
const portId = ({ id, ports }, port) => `r${id}_p${ports.findIndex(({ name }) => name === port)}`;

/**
 * @param {Scene} scene
 * @param {Outline} outline
 * @param {string} prefix  of ids
 * @param {{ name: string, hasStages: boolean } | null} vat  null for a program outside of vats
 */
const addOutline = (scene, { reactors, connections }, prefix, vat) => {
  /** @type {Box[]} */
  const boxes = [];
  for (const reactor of reactors) {
    const box = boxOf(reactor, prefix);
    box.seek = { vat: vat?.name ?? '', class: reactor.class };
    boxes.push(box);
    for (const [i, { name, isInitial }] of reactor.modes.entries()) {
      box.boxes.push(
        emptyBox(`${box.id}_m${i}`, 'mode', name, isInitial ? 'initial mode' : 'mode'),
      );
      box.boxes[i].isInitial = isInitial;
    }
    if (reactor.parent === null) {
      scene.boxes.push(box);
    } else {
      const parent = boxes[reactor.parent];
      const modes = reactors[reactor.parent].modes;
      const inMode = parent.boxes[modes.findIndex(({ name }) => name === reactor.mode)];
      (reactor.mode === null ? parent : inMode).boxes.push(box);
    }
  }
  if (vat !== null) {
    const stages = reactors.flatMap(stagesOf);
    const last = Math.max(0, ...stages);
    const first = Math.min(last, ...stages);
    boxes[0].kind = 'vat';
    boxes[0].title = vat.name;
    const told = first === last ? `stage ${last}` : `stages ${first} to ${last}`;
    boxes[0].subtitle = ['vat', reactors[0].class, ...(vat.hasStages ? [told] : [])].join(' · ');
  }
  const ids = reactors.map(
    reactor => (/** @type {string} */ port) => prefix + portId(reactor, port),
  );
  addReactions({ scene, reactors, boxes, portId: ids, hasStages: vat?.hasStages ?? false });
  for (const connection of connections) {
    const { from, to, isPhysical } = connection;
    scene.links.push({
      from: ids[from.reactor](from.port),
      to: ids[to.reactor](to.port),
      kind: 'connection',
      label: labelOf(connection, reactors[from.reactor], reactors[to.reactor]),
      isPhysical,
      mayGoBack: isPhysical || connection.delayNs !== null,
    });
  }
};

/**
 * @param {string} id
 * @param {Box['kind']} kind
 * @param {string} title
 * @param {string} subtitle
 * @returns {Box}
 */
const emptyBox = (id, kind, title, subtitle) => ({
  ...{ id, kind, title, subtitle },
  ...{ isMany: false, isInitial: false },
  ...{ ports: [], boxes: [], items: [] },
});

/**
 * @param {OutlineReactor} reactor
 * @param {string} prefix
 * @returns {Box}
 */
const boxOf = (reactor, prefix) => {
  const { id, name, class: type, width, ports } = reactor;
  const times = width > 1 ? ` × ${width}` : '';
  return {
    ...emptyBox(
      `${prefix}r${id}`,
      'reactor',
      name,
      name === type && times === '' ? '' : type + times,
    ),
    isMany: width > 1,
    ports: ports.map(({ name: port, isInput, width: channels, isMulti }) => ({
      id: prefix + portId(reactor, port),
      label: isMulti && channels !== 1 ? `${port}[${channels}]` : port,
      isInput,
    })),
  };
};

/**
 * The label of a connection: its delay, and its channels if it does not connect whole ports.
 *
 * @param {Pick<OutlineConnection, 'channels' | 'runs' | 'delayNs' | 'isPhysical'> & { from: { port: string }, to: { port: string } }} connection
 * @param {OutlineReactor} source
 * @param {OutlineReactor} target
 */
const labelOf = (connection, source, target) => {
  const { channels, runs, delayNs, isPhysical, from, to } = connection;
  const widthOf = (/** @type {OutlineReactor} */ { ports }, /** @type {string} */ name) =>
    ports.find(port => port.name === name)?.width ?? 1;
  const fromWidth = widthOf(source, from.port);
  const toWidth = widthOf(target, to.port);
  const isWhole = channels === fromWidth && channels === toWidth && runs?.length === 1;
  const which = isWhole ? '' : channelsText(runs, channels, fromWidth, toWidth);
  return joined(delayText(delayNs, isPhysical), which);
};

/** @param {number | null} delayNs @param {boolean} isPhysical */
const delayText = (delayNs, isPhysical) => {
  const after = delayNs === null ? '' : formatExactDuration(delayNs);
  return isPhysical ? joined('physical', after) : after;
};

/** @param {string[]} parts */
const joined = (...parts) => parts.filter(part => part !== '').join(', ');

/**
 * @param {[from: number, to: number, count: number][] | null} runs
 * @param {number} channels
 * @param {number} fromWidth
 * @param {number} toWidth
 */
const channelsText = (runs, channels, fromWidth, toWidth) => {
  if (runs === null || runs.length > 1) return `× ${channels.toLocaleString('en-US')}`;
  const [[from, to, count]] = runs;
  const range = (/** @type {number} */ first) =>
    count === 1 ? `[${first}]` : `[${first}..${first + count - 1}]`;
  const source = fromWidth === count ? '' : range(from);
  const target = toWidth === count ? '' : range(to);
  return source === '' || target === '' ? source + target : `${source} → ${target}`;
};

/**
 * @param {Scene} scene
 * @param {VatsOutline} outline
 * @param {VatConnection} connection
 */
const addVatConnection = (scene, { vats }, connection) => {
  const { from, to, channels = 1, runs = [[0, 0, channels]] } = connection;
  const { delayNs = null, isPhysical = false } = connection;
  const [source, target] = [from, to].map(({ vat, port }) => {
    const at = vats.findIndex(({ name }) => name === vat);
    if (at < 0) {
      const known = vats.map(({ name }) => name).join(', ');
      throw new UserError(`a connection names the vat "${vat}"; the vats are ${known}`);
    }
    const [main] = vats[at].outline.reactors;
    const names = main.ports.map(({ name }) => name);
    if (!names.includes(port)) {
      throw new UserError(
        `a connection names ${vat}.${port}; the ports of ${vat} are ${names.join(', ')}`,
      );
    }
    return { main, id: `v${at}_${portId(main, port)}` };
  });
  const ends = { channels, runs, from, to };
  scene.links.push({
    from: source.id,
    to: target.id,
    kind: 'connection',
    label: labelOf({ ...ends, delayNs, isPhysical }, source.main, target.main),
    isPhysical,
    mayGoBack: isPhysical || delayNs !== null,
  });
};
