// The supervisor of a vat that comes with the system and takes its deliveries raw.

import { SyscallBuffer } from './syscall-buffer.js';

/** @import { Delivery } from '#model' */
/** @import { Answerer } from './syscall-buffer.js' */

/**
 * @param {(syscalls: SyscallBuffer) => (delivery: Delivery) => void} buildDispatch
 */
export const makeDispatchingSupervisor = buildDispatch => {
  const syscalls = new SyscallBuffer();
  const dispatch = buildDispatch(syscalls);
  return Object.freeze({
    /**
     * @param {Delivery} delivery
     * @param {Answerer} answerer
     */
    begin(delivery, answerer) {
      syscalls.begin(answerer);
      dispatch(delivery);
    },
    finish: () => syscalls.take(null),
  });
};
