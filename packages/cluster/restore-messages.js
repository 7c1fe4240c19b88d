// The messages from which a host makes a vat that has run. A long transcript goes in parts, each when the one before has been
// repeated: neither side holds more than a part in messages, and the host is heard meanwhile.

import { vatStorePrefix } from '#kernel';
import { cutTranscript } from '#host/workers/cut-transcript.js';

/** @import { Store } from '#store' */
/** @import { ToHost } from './host-messages.js' */
/** @import { HostedVat } from './hosted-vat.js' */

/** Bound on a part, but for a longer entry. */
const partBytes = 4 * 1024 * 1024;

/**
 * The transcript of an upgraded vat does not have all of its store. The rest is as it was at the end of the last block,
 * since the vat was there then.
 *
 * @param {Pick<HostedVat, 'vatId' | 'description'>} vat
 * @param {Uint8Array} transcript  whole entries; the bytes may change after the first message
 * @param {Pick<Store, 'entries'>} store
 * @returns {Generator<ToHost>}
 */
export function* restoreMessages({ vatId, description }, transcript, store) {
  const prefix = vatStorePrefix(vatId);
  /** @type {string[]} */
  const stored = [];
  if (description.incarnation > 0)
    for (const [key, value] of store.entries(prefix)) stored.push(key.slice(prefix.length), value);
  const own = transcript.length > partBytes ? transcript.slice() : transcript;
  const parts = cutTranscript(own, partBytes);
  const first = parts.next().value ?? own;
  yield {
    ...{ kind: 'restore', vatId, description: JSON.stringify(description), stored },
    transcript: first,
  };
  for (const part of parts) yield { kind: 'catchUp', vatId, transcript: part };
}
