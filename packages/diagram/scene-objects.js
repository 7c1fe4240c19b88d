// The scene of a swingset of objects: a box for each vat with its objects that others hold, and links for the holders
// and for the messages between vats.

/** @import { Box, Item, Scene } from './scene.js' */

/**
 * Vats, their references to each other and their messages, after a run. Vats of one name are merged.
 *
 * @typedef {object} ObjectsOutline
 * @property {{ name: string, deliveries: number, isBuiltIn: boolean }[]} objects  the running vats
 * @property {{ holder: string, owner: string, iface: string, count: number }[]} held  objects of an owner that a holder
 *   has, by the name of their interface
 * @property {{ from: string, to: string, method: string, count: number }[]} messages  delivered messages; `from` may be
 *   `host`
 * @property {number} cranks  the number of cranks run
 * @property {boolean} isOver  whether the queue is empty; otherwise a bound ended the run
 */

/** Interfaces that are listed in a vat's box and in a tooltip, most objects first; the rest are summed. */
const mostNamed = 8;

/** @param {number} count @param {'delivery' | 'message'} what */
const counted = (count, what) => {
  const plural = what === 'delivery' ? 'deliveries' : 'messages';
  return `${count.toLocaleString('en-US')} ${count === 1 ? what : plural}`;
};

/** @param {number} count */
const times = count => (count === 1 ? '' : `× ${count.toLocaleString('en-US')}`);

/**
 * The largest items, and the sum of the rest.
 *
 * @template {{ count: number }} T
 * @param {T[]} list
 * @param {(rest: T[]) => T} addUp
 */
const largest = (list, addUp) => {
  const sorted = [...list].sort((left, right) => right.count - left.count);
  if (sorted.length <= mostNamed) return sorted;
  return [...sorted.slice(0, mostNamed - 1), addUp(sorted.slice(mostNamed - 1))];
};

/** @param {{ count: number }[]} list */
const sum = list => list.reduce((total, { count }) => total + count, 0);

/**
 * @template T
 * @param {T[]} list
 * @param {(item: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
const groupBy = (list, keyOf) => {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
};

/** A key made of any strings. @param {string[]} parts */
const keyOfParts = (...parts) => JSON.stringify(parts);

/**
 * The vats to show: a vat that comes with the system is left out if it had no message.
 *
 * @param {ObjectsOutline} outline
 */
const findShown = ({ objects, messages }) => {
  const spoken = new Set(messages.flatMap(({ from, to }) => [from, to]));
  /** @type {Map<string, { name: string, deliveries: number, vats: number }>} */
  const shown = new Map();
  for (const { name, deliveries, isBuiltIn } of objects) {
    if (isBuiltIn && !spoken.has(name)) continue;
    const known = shown.get(name) ?? { name, deliveries: 0, vats: 0 };
    shown.set(name, { name, deliveries: known.deliveries + deliveries, vats: known.vats + 1 });
  }
  return shown;
};

/**
 * @param {Scene} scene  boxes and links are added to it
 * @param {ObjectsOutline} outline
 */
export const addObjects = (scene, outline) => {
  const shown = findShown(outline);
  const ids = new Map([...shown.keys()].map((name, i) => [name, `v${i}`]));
  const held = outline.held.filter(({ holder, owner }) => ids.has(holder) && ids.has(owner));
  const byOwner = groupBy(held, ({ owner }) => owner);
  const toItself = groupBy(
    outline.messages.filter(({ from, to }) => from === to),
    ({ to }) => to,
  );
  for (const { name, deliveries, vats } of shown.values()) {
    const own = sum(toItself.get(name) ?? []);
    const id = /** @type {string} */ (ids.get(name));
    /** @type {Box} */
    const box = {
      ...{ id, kind: 'vat', title: vats > 1 ? `${name} × ${vats}` : name },
      subtitle: [
        'vat',
        counted(deliveries, 'delivery'),
        ...(own > 0 ? [`${own.toLocaleString('en-US')} to itself`] : []),
      ].join(' · '),
      ...{ isMany: vats > 1, isInitial: false, ports: [], boxes: [], items: [] },
      seek: { vat: name },
    };
    scene.boxes.push(box);
    addHeld(scene, box, byOwner.get(name) ?? [], ids);
  }
  addMessages(scene, outline, ids);
};

/**
 * Add a vat's objects that others hold: an item for each interface, and a link from each holder.
 *
 * @param {Scene} scene
 * @param {Box} box
 * @param {ObjectsOutline['held']} held
 * @param {Map<string, string>} ids  of boxes, by vat
 */
const addHeld = (scene, box, held, ids) => {
  const groups = [...groupBy(held, ({ iface }) => iface)].map(([iface, list]) => ({
    ...{ iface, list, kinds: 1 },
    count: list.reduce((most, { count }) => Math.max(most, count), 0),
  }));
  const named = largest(groups, rest => ({
    iface: `${rest.length} more interfaces`,
    ...{ list: rest.flatMap(({ list }) => list), kinds: rest.length, count: sum(rest) },
  }));
  for (const [i, { iface, list }] of named.entries()) {
    const id = `${box.id}_i${i}`;
    const holders = [...groupBy(list, ({ holder }) => holder)].map(([holder, of]) => ({
      ...{ holder, count: sum(of) },
    }));
    /** @type {Item} */
    const item = {
      ...{ id, kind: 'object', label: iface, notes: [] },
      about: [
        `${iface} of vat ${box.title}`,
        ...holders.map(each => `held by ${each.holder}: ${each.count.toLocaleString('en-US')}`),
      ].join('\n'),
      seek: box.seek && { ...box.seek, iface },
    };
    box.items.push(item);
    for (const { holder, count: some } of holders) {
      scene.links.push({
        ...{ from: /** @type {string} */ (ids.get(holder)), to: id, kind: 'holds' },
        ...{ label: times(some), isPhysical: false, mayGoBack: true },
      });
    }
  }
};

/**
 * @param {Scene} scene
 * @param {ObjectsOutline} outline
 * @param {Map<string, string>} ids
 */
const addMessages = (scene, { messages }, ids) => {
  const between = messages.filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to));
  for (const list of groupBy(between, ({ from, to }) => keyOfParts(from, to)).values()) {
    const [{ from, to }] = list;
    const count = sum(list);
    const methods = largest(list, rest => ({
      ...{ from, to, method: `${rest.length} more methods`, count: sum(rest) },
    }));
    scene.links.push({
      ...{ from: /** @type {string} */ (ids.get(from)), to: /** @type {string} */ (ids.get(to)) },
      kind: 'messages',
      label:
        list.length === 1
          ? `${list[0].method}() ${times(count)}`.trim()
          : counted(count, 'message'),
      ...{ isPhysical: false, mayGoBack: true },
      about: [
        `${counted(count, 'message')} from ${from} to ${to}`,
        ...methods.map(each => `${each.method} ${times(each.count)}`.trim()),
      ].join('\n'),
    });
  }
};
