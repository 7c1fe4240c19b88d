// A new state: the vats and devices of a config, and the message that starts everything.

import { Fail } from '#model';
import { methodCall, slotRecord } from '../crank/wire.js';
import { beginInput, recordInput } from '../inputs/inputs.js';
import { planWiring } from '../reactors/wiring.js';
import { figure } from '../tables/figures.js';
import { exportRoot, queueToRoot } from './vat-admin.js';

/** @import { HostReferences } from '../inputs/host-references.js' */
/** @import { KernelState } from '../tables/state.js' */
/** @import { WiringPlan } from '../reactors/wiring-plan.js' */

/**
 * @typedef {object} VatDescription
 * @property {string} name
 * @property {string} source  what the host makes the vat from
 * @property {string} parameters  body of capdata, in the profile's notation
 * @property {boolean} isBuiltIn  comes with the system and needs no start delivery
 * @property {boolean} pipelining
 * @property {Record<string, unknown>} options
 */

/**
 * @typedef {object} InitialState
 * @property {VatDescription[]} vats  in the order of their ids
 * @property {string[]} devices  names
 * @property {string} bootstrap  name of the vat whose root gets `bootstrap(vats, devices)`; empty if there is none
 * @property {string} [firstRoot]  name of the vat whose root gets the first number; default: in the order of names
 * @property {number | 'never'} [reapInterval]  deliveries after which a vat is asked for its dead references, if its
 *   own options say nothing; by default collection/reaper.js decides
 * @property {number | 'never'} [reapGCKrefs]  dropped and retired objects that a vat is told of before it is asked; by
 *   default 20 where an interval is set, and otherwise without limit
 * @property {WiringPlan} [wiring]  connections between the vats' reactors, made when all vats have started
 */

/**
 * Nothing runs yet, and nothing is in the store before the first commit.
 *
 * @param {KernelState} state
 * @param {HostReferences} host
 * @param {InitialState} initial
 * @returns {string} kref of bootstrap's result, which the host holds; empty if nothing was sent
 */
export const makeInitialState = (
  state,
  host,
  { vats, devices: deviceNames, bootstrap, firstRoot, reapInterval, reapGCKrefs, wiring },
) => {
  const { profile } = state;
  const { vats: keeper, owners, counters } = state;
  beginInput(state);
  if (profile.collectsObjects) {
    state.reapThresholds.setInterval(reapInterval);
    state.reapThresholds.setGcKrefs(reapGCKrefs);
  }
  if (wiring !== undefined) planWiring(state, wiring);
  for (const description of vats)
    keeper.addVat({ isStatic: true, parameterSlots: [], ...description });
  for (const name of deviceNames) keeper.addDevice(name);

  // Roots are exported in the order of the vats' names, as SwingSet does.
  const named = keeper
    .vatIds()
    .map(vatId => /** @type {const} */ ([keeper.require(vatId).name, vatId]))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  const firstVat = firstRoot === undefined ? undefined : keeper.findVatByName(firstRoot);
  if (firstVat !== undefined) exportRoot(state, firstVat);
  const roots = named.map(([, vatId]) => exportRoot(state, vatId));
  const deviceRoots = keeper.deviceIds().map(deviceId => {
    const root = `kd${state.figures.allocate(figure.nextDevice)}`;
    owners.set(root, deviceId);
    counters.inc(counters.find('kernelDevices'));
    keeper.clist(deviceId).add(root, 'd+0');
    return root;
  });

  // So that the first items are at microstep 0.
  state.figures.write(figure.nowMicrostep, -1);
  if (profile.startsVatsInCranks) {
    for (const vatId of keeper.vatIds())
      if (!keeper.require(vatId).isBuiltIn) state.queue.addControl('start', vatId);
  }
  const { wire } = profile;
  const methargs = methodCall(
    wire,
    'bootstrap',
    [
      slotRecord(
        wire,
        named.map(([name]) => name),
        0,
        'root',
      ),
      slotRecord(wire, deviceNames, roots.length, 'device'),
    ],
    [...roots, ...deviceRoots],
  );
  let result = '';
  if (bootstrap !== '') {
    const bootstrapVat = keeper.findVatByName(bootstrap) ?? Fail`there is no vat ${bootstrap}`;
    state.setBootstrapVat(bootstrapVat);
    result = queueToRoot(state, bootstrapVat, methargs);
    host.addHeld(result);
  }
  state.figures.write(figure.nowMicrostep, 0);
  recordInput(state, 'start', '', profile.name);
  state.keepBetweenCranks();
  return result;
};
