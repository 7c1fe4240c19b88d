// The host's part of a bridge: calls with data, in both directions. A vat's call is answered at once.

import { fileURLToPath } from 'node:url';
import { UserError } from '#model';
import { copyJson, insistCallback } from './check.js';

/**
 * Make the host's part of a bridge: a vat calls the host, and the host calls the vat.
 *
 * @param {(...args: any[]) => unknown} onOutbound  called by a vat; its result is the answer
 * @returns `srcPath`, `endowments`, and `deliverInbound(...args)`, which throws a UserError before the device is made
 */
export const buildBridge = onOutbound => {
  /** @type {((...args: unknown[]) => void) | undefined} */
  let inbound;
  return {
    srcPath: fileURLToPath(new URL('sources/device-bridge.js', import.meta.url)),
    endowments: {
      registerInboundCallback(/** @type {any} */ callback) {
        if (inbound !== undefined) throw new UserError('inboundCallback already registered');
        inbound = callback;
      },
      callOutbound: (/** @type {unknown[]} */ ...args) => onOutbound(...copyJson(args)),
    },
    /** @param {unknown[]} args  data that JSON can hold */
    deliverInbound(...args) {
      insistCallback(inbound, 'bridge')(...args);
    },
  };
};
