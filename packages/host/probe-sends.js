// Where in a vat's source a message was sent whose result has not come: its cranks are done once more, from the transcript,
// with an eye on each send. It costs what resuming the vat costs, so it is for runs that have failed.

import { watchSends } from '#vat';
import { findErrorPlace } from '#loader/compartment';
import { inMacrotask } from './macrotask.js';
import { withoutPromiseHooks } from './promise-hooks.js';
import { replayVat } from './replay.js';

/** @import { Kernel } from '#kernel' */
/** @import { Settle } from './settle.js' */
/** @import { makeVatPlaces } from './vat-places.js' */
/** @import { VatWatch } from './vat-watch.js' */

/** A vat with more cranks to repeat is left alone. */
const mostEntries = 50_000;

/**
 * @typedef {object} ProbePowers
 * @property {Kernel} kernel
 * @property {ReturnType<typeof makeVatPlaces>} places
 * @property {VatWatch} watch
 * @property {Settle} settle
 */

/**
 * @param {string} vatId
 * @param {string} sought  vref of the result
 * @param {ProbePowers} powers
 * @returns {Promise<string | undefined>} `vat-alice.js:12:7`; undefined where it cannot be found out
 */
export const findSendPlace = async (vatId, sought, { kernel, places, watch, settle }) => {
  const vat = kernel.vat(vatId);
  let entries = 0;
  for (const _ of kernel.transcript(vatId)) {
    entries += 1;
    if (entries > mostEntries) return undefined;
  }
  /** @type {WeakMap<Promise<unknown>, Error>} */
  const senders = new WeakMap();
  /** @type {Error | undefined} */
  let found;
  const transport = await places.probe(vat, (result, returned) => {
    if (result === sought && returned !== undefined) found = senders.get(returned);
  });
  if (transport === undefined) return undefined;
  try {
    await watch.mute(() =>
      inMacrotask(() => {
        watchSends(promise => void senders.set(promise, Error('sent here')));
        return withoutPromiseHooks(settle, () =>
          replayVat(vat.name, transport, kernel.transcript(vatId)),
        );
      }),
    );
  } catch {
    // The vat does something else than it did; the sends found before that are right.
  } finally {
    watchSends(undefined);
    transport.close();
  }
  return found && findErrorPlace(found);
};
