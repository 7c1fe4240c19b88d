// Makes the world before the first crank, for the reference kernel.

import { newNode } from './reference-powers.js';
import {
  addEntry,
  addVat,
  byText,
  emptyList,
  exportObject,
  listOf,
  queueControl,
  systemVats,
} from './world.js';

/** @import { CapData } from '#model' */
/** @import { React } from '../scripted-vat.js' */
/** @import { ProfileName, World } from './world.js' */

/**
 * @typedef {object} ReferenceVat
 * @property {string} name
 * @property {React} react
 * @property {boolean} starts
 * @property {boolean} pipelining
 * @property {boolean} [isCritical]
 * @property {number} [interval]  number of deliveries between requests for its dead references
 * @property {number} [mostGcKrefs]  number of objects that it is told of between these requests
 * @property {boolean} [mayLetGo]  whether it may let go of objects when it is not asked
 */

/** @param {ProfileName} profile @returns {World} */
const emptyWorld = profile => ({
  profile,
  counters: {},
  next: { object: 20, promise: 40, device: 30, vat: 1, item: 1, input: 1, handOut: 1 },
  timeNs: 0,
  microstep: -1,
  cranks: 0,
  controlCranks: 0,
  vats: new Map(),
  places: new Map(),
  devices: new Map(),
  owners: new Map(),
  promises: new Map(),
  uncounted: new Set(),
  ghosts: new Map(),
  held: new Map(),
  reactors: new Map(),
  plan: undefined,
  queue: [],
  sent: [],
  criticalEnd: undefined,
  cleansUp: true,
  outbox: [],
  thresholds: {},
});

/**
 * @param {ProfileName} profile
 * @param {ReferenceVat[]} vats  in the order of their numbers; the first gets `bootstrap`
 * @param {boolean} hasDevice
 * @returns {{ w: World, bootstrap: CapData }} `bootstrap`: the message to the first vat
 */
export const beginWorld = (profile, vats, hasDevice) => {
  const w = emptyWorld(profile);
  const parameters = { body: profile === 'current' ? '#{}' : '{}', slots: [] };
  for (const { name, starts, pipelining, interval, mostGcKrefs, isCritical, mayLetGo } of vats)
    addVat(w, {
      ...{ name, pipelining, interval, isBuiltIn: !starts, isStatic: true, source: '' },
      ...{ isCritical: isCritical === true, mayLetGo: mayLetGo === true },
      mostGcKrefs,
      parameters,
    });
  const named = [...w.vats].sort(([, left], [, right]) => byText(left.name, right.name));
  const placeOf = (/** @type {string} */ name) => {
    if (name === vats[0].name) return 0;
    return systemVats.includes(name) ? 1 : 2;
  };
  const placed = [...named].sort(([, left], [, right]) => placeOf(left.name) - placeOf(right.name));
  w.places = new Map(placed.map(([vatId], i) => [vatId, `v${i + 1}`]));
  const slots = named.map(([vatId]) => {
    const kref = exportObject(w, vatId);
    addEntry(w, listOf(w, vatId), true, kref, 'o+0');
    return kref;
  });
  if (hasDevice) {
    w.devices.set('d7', { name: 'device', list: emptyList(), store: new Map() });
    slots.push(newNode(w, 'd7', 'd+0'));
  }
  vats.forEach(({ starts }, i) => {
    if (starts && profile === 'current') queueControl(w, 'start', `v${i + 1}`);
  });
  const names = named.map(([, { name }]) => name);
  return { w, bootstrap: { body: bootstrapBody(profile, names, hasDevice), slots } };
};

/** @param {ProfileName} profile @param {string[]} names @param {boolean} hasDevice */
const bootstrapBody = (profile, names, hasDevice) => {
  const isCurrent = profile === 'current';
  const slot = (/** @type {number} */ i, /** @type {string} */ what) =>
    isCurrent ? `"$${i}.Alleged: ${what}"` : `{"@qclass":"slot","index":${i}}`;
  const roots = names.map((name, i) => `"${name}":${slot(i, 'root')}`).join();
  const devices = hasDevice ? `"device":${slot(names.length, 'device')}` : '';
  return `${isCurrent ? '#' : ''}["bootstrap",[{${roots}},{${devices}}]]`;
};
