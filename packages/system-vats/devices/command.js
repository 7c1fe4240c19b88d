// The command device: the host sends a command with a body, and the vat answers it at any time, by its number. The vat
// can also broadcast.

import { Far } from '#vat';
import { formatForHost, insistCount } from './check-values.js';

/** @import { DeviceTools } from '#vat' */

// Keys: `handler`; `next` the number of the next command; `c.NUMBER` the host's token of an unanswered command.

/** @param {DeviceTools} tools */
export const buildRootDeviceNode = ({ SO, store, onInput, handOut }) => {
  onInput((/** @type {string} */ text) => {
    const { token, body } = JSON.parse(text);
    const handler = store.get('handler');
    if (handler === undefined) throw Error('command: no vat has called registerInboundHandler yet');
    const count = store.get('next') ?? 0;
    store.set('next', count + 1);
    store.set(`c.${count}`, token);
    SO(handler).inbound(count, harden(body));
  });

  return Far('command', {
    /** @param {object} handler  with `inbound(count, body)` */
    registerInboundHandler(handler) {
      store.set('handler', handler);
    },

    /**
     * @param {number} count  of the command
     * @param {boolean} isReject
     * @param {unknown} body  data
     */
    sendResponse(count, isReject, body) {
      const number = insistCount(count, 'command.sendResponse: the count');
      const token = store.get(`c.${number}`);
      if (token === undefined)
        throw Error(`command.sendResponse: there is no command ${number} that waits for an answer`);
      const response = formatForHost(body, 'command.sendResponse: the body');
      store.delete(`c.${number}`);
      handOut(JSON.stringify({ token, isReject: Boolean(isReject), response }));
    },

    /** @param {unknown} body  data */
    sendBroadcast(body) {
      const broadcast = formatForHost(body, 'command.sendBroadcast: the body');
      handOut(JSON.stringify({ broadcast }));
    },
  });
};
