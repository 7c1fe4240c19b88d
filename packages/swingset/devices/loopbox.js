// The host's part of a loopbox, which joins two machines within one run: a message arrives at once, or when the host
// passes it.

import { fileURLToPath } from 'node:url';
import { quote, UserError } from '#model';
import { insistCallback } from './check.js';

/**
 * Make the host's part of a loopbox, which connects two vats of one run as if they were on two machines.
 *
 * @param {'immediate' | 'queued'} deliverMode
 * @returns `loopboxSrcPath`, `loopboxEndowments`, and `passOneMessage()`, for the mode `queued`
 * @throws {UserError} for any other mode
 */
export const buildLoopbox = deliverMode => {
  if (deliverMode !== 'immediate' && deliverMode !== 'queued')
    throw new UserError(`deliverMode=${quote(deliverMode)}, must be 'immediate' or 'queued'`);
  /** @type {(() => boolean) | undefined} */
  let pass;
  return harden({
    loopboxSrcPath: fileURLToPath(new URL('sources/device-loopbox.js', import.meta.url)),
    loopboxEndowments: {
      registerPassOneMessage(/** @type {any} */ callback) {
        pass = callback;
      },
      deliverMode,
    },
    /** @returns {boolean} whether there was a message */
    passOneMessage: () => insistCallback(pass, 'loopbox')(),
  });
};
