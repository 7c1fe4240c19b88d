// The host's part of a command device: commands to a vat, each with an answer, and its broadcasts.

import { fileURLToPath } from 'node:url';
import { UserError } from '#model';
import { insistCallback, insistCount } from './check.js';

/**
 * Make the host's part of a command device: the host sends commands, a vat answers and broadcasts.
 *
 * @param {(body: any) => void} onBroadcast
 * @returns `srcPath`, `endowments`, and `inboundCommand(body)`, which resolves to the answer
 * @throws {UserError} if `onBroadcast` is not a function
 */
export const buildCommand = onBroadcast => {
  if (typeof onBroadcast !== 'function')
    throw new UserError('buildCommand: broadcastCallback must be provided.');
  /** @type {((count: bigint, body: string) => void) | undefined} */
  let inbound;
  let nextCount = 0n;
  /** @type {Map<bigint, { resolve: (value: any) => void, reject: (reason: any) => void }>} */
  const waiting = new Map();
  return {
    srcPath: fileURLToPath(new URL('sources/device-command.js', import.meta.url)),
    endowments: {
      registerInboundCallback(/** @type {any} */ callback) {
        if (inbound !== undefined)
          throw new UserError('registerInboundCallback called more than once');
        inbound = callback;
      },
      /** @param {unknown} count @param {unknown} isReject @param {string | undefined} body */
      deliverResponse(count, isReject, body) {
        const number = insistCount(count, 'deliverResponse');
        const asked = waiting.get(number);
        // A second answer has no effect.
        if (asked === undefined && number < nextCount) return;
        if (asked === undefined) throw new UserError(`unknown response index ${number}`);
        waiting.delete(number);
        const value = body === undefined ? undefined : JSON.parse(`${body}`);
        if (isReject) asked.reject(value);
        else asked.resolve(value);
      },
      /** @param {string} body */
      sendBroadcast(body) {
        onBroadcast(JSON.parse(`${body}`));
      },
    },
    /**
     * @param {unknown} body  data that JSON can hold
     * @returns {Promise<any>} the vat's answer, settled while the run runs
     */
    inboundCommand(body) {
      const callback = insistCallback(inbound, 'command');
      const count = nextCount;
      nextCount += 1n;
      const answer = new Promise((resolve, reject) => {
        waiting.set(count, { resolve, reject });
      });
      try {
        callback(count, JSON.stringify(body));
      } catch (error) {
        // JSON has no form for it, or nobody listens yet. As in SwingSet, the question then has no answer.
        console.error('error running inboundCallback:', error);
      }
      return answer;
    },
  };
};
