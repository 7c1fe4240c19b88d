// The bridge device: calls between the host and a vat. A vat's call is held until the block is committed, so it returns
// nothing; the host may answer by a call of its own.

import { Far } from '#vat';
import { formatForHost } from './check-values.js';

/** @import { DeviceTools } from '#vat' */

// Key: `handler`.

/** @param {DeviceTools} tools */
export const buildRootDeviceNode = ({ SO, store, onInput, handOut }) => {
  onInput((/** @type {string} */ text) => {
    const handler = store.get('handler');
    if (handler === undefined) throw Error('bridge: no vat has called registerInboundHandler yet');
    SO(handler).inbound(...harden(JSON.parse(text)));
  });

  return Far('bridge', {
    /** @param {object} handler  with `inbound(...args)` */
    registerInboundHandler(handler) {
      if (store.get('handler') !== undefined)
        throw Error('bridge: an inbound handler is registered already');
      store.set('handler', handler);
    },

    unregisterInboundHandler() {
      store.delete('handler');
    },

    /** @param {unknown[]} args  data */
    callOutbound(...args) {
      handOut(formatForHost(args, 'bridge.callOutbound: the arguments') ?? '[]');
    },
  });
};
