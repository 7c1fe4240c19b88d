// One supervisor alone, without a kernel: a test gives it deliveries and reads the syscalls of each.

import { E, Far, supervisors } from '#vat';

const when = { timeNs: 0, microstep: 0, stage: 0 };

/** @param {unknown} body  as JSON has it @param {string[]} [slots]  vrefs */
export const cap = (body, slots = []) => harden({ body: `#${JSON.stringify(body)}`, slots });

/**
 * Start a vat.
 *
 * @param {(powers: { E: typeof E, Far: typeof Far  }) => Record<string, (...args: any[]) => unknown>} makeMethods
 *   of its root object, `o+0`
 */
export const startVat = async makeMethods => {
  /** @type {string[]} */
  const heard = [];
  const supervisor = supervisors.smallcaps({
    vatId: 'v1',
    vatPowers: {},
    onSentError: (/** @type {any} */ error) => void heard.push(String(error?.message ?? error)),
    buildRoot: () => Far('root', makeMethods({ E, Far })),
  });

  /** @param {any} delivery @returns {Promise<any>} what the crank asked for */
  const deliver = async delivery => {
    supervisor.begin(
      delivery,
      () => {
        throw Error('no syscall of these vats has an answer');
      },
      when,
    );
    await new Promise(setImmediate);
    return supervisor.finish();
  };
  const started = await deliver(['startVat', cap({})]);
  if (started.fault) throw Error(started.fault);

  return {
    /** Errors that left the vat. */
    heard,
    deliver,

    /**
     * @param {string} method
     * @param {unknown[]} [args]  as JSON has them
     * @param {{ slots?: string[], result?: string | null }} [options]
     * @returns {Promise<any[]>} the syscalls of the crank
     */
    call: async (method, args = [], { slots = [], result = null } = {}) =>
      (await deliver(['message', 'o+0', cap([method, args], slots), result])).syscalls,

    /** @param {[vref: string, isRejected: boolean, data: { body: string, slots: string[] }][]} resolutions */
    notify: async (...resolutions) => (await deliver(['notify', resolutions])).syscalls,
  };
};
