// Where a state has the result of the message `bootstrap`.

/** @import { Kernel } from '#kernel' */

export const bootstrapResultKey = 'host.bootstrapResult';

/**
 * The kref of bootstrap's result; empty if no vat gets `bootstrap`.
 *
 * @param {Pick<Kernel, 'getHostValue'>} kernel
 */
export const readBootstrapResult = kernel => kernel.getHostValue(bootstrapResultKey) ?? '';
