// Finds the place in a vat's source where a message was sent, by replaying the vat's transcript and noting each send.
// This costs as much as resuming the vat, so it is for failed runs.

import { watchSends } from '#vat';
import { findErrorPlace, reportError } from '#loader/compartment';
import { inMacrotask } from '../engine/macrotask.js';
import { withoutPromiseHooks } from '../engine/promise-hooks.js';
import { replayVat } from '../vats/replay.js';

/** @import { Kernel } from '#kernel' */
/** @import { Drain } from '../engine/drain-jobs.js' */
/** @import { makeVatPlaces } from '../vats/vat-places.js' */
/** @import { VatWatch } from '../vats/vat-watch.js' */

/** Bound on the transcript entries of a vat that is replayed. */
export const mostEntries = 50_000;

/**
 * @typedef {object} ProbePowers
 * @property {Kernel} kernel
 * @property {ReturnType<typeof makeVatPlaces>} places
 * @property {VatWatch} watch
 * @property {Drain} drain
 */

/** @param {Kernel} kernel @param {string} vatId */
const isShort = (kernel, vatId) => {
  let entries = 0;
  for (const _ of kernel.transcript(vatId)) {
    entries += 1;
    if (entries > mostEntries) return false;
  }
  return true;
};

/**
 * Find the places of two sends of a vat: the one with a given result, and the first one whose arguments were refused
 * with a given error.
 *
 * @param {string} vatId
 * @param {{ result?: string | undefined, refusal?: { name: string, message: string } }} sought
 * @param {ProbePowers} powers
 * @returns {Promise<{ sent?: string | undefined, refused?: string | undefined }>} as `vat-alice.js:12:7`; undefined if
 *   it cannot be found
 */
export const findSendPlaces = async (
  vatId,
  { result: soughtResult, refusal },
  { kernel, places, watch, drain },
) => {
  const vat = kernel.vat(vatId);
  if (!isShort(kernel, vatId)) return {};
  /** @type {WeakMap<Promise<unknown>, Error>} */
  const senders = new WeakMap();
  /** @type {{ sent?: Error | undefined, refused?: Error | undefined }} */
  const found = {};
  const findSender = (/** @type {Promise<unknown> | undefined} */ returned) =>
    returned && senders.get(returned);
  const transport = await places.probe(vat, {
    onSent(result, returned) {
      if (result === soughtResult) found.sent = findSender(returned);
    },
    onUnsent(error, returned) {
      if (refusal === undefined || found.refused !== undefined) return;
      const report = reportError(error);
      const { name, message } = report.told ?? report;
      if (name === refusal.name && message === refusal.message)
        found.refused = findSender(returned);
    },
  });
  if (transport === undefined) return {};
  try {
    await watch.mute(() =>
      inMacrotask(() => {
        watchSends(promise => void senders.set(promise, Error('sent here')));
        return withoutPromiseHooks(drain, () =>
          replayVat(vat.name, transport, kernel.transcript(vatId)),
        );
      }),
    );
  } catch {
    // The vat does not repeat its transcript; the sends found before that are valid.
  } finally {
    watchSends(undefined);
    transport.close();
  }
  return {
    sent: found.sent && findErrorPlace(found.sent),
    refused: found.refused && findErrorPlace(found.refused),
  };
};
