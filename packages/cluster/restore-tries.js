// How often a vat may be lost, or not be made, before the run ends: each further host would fail at it as well.

import { UserError } from '#model';

/** @import { Call, HostedVat } from './hosted-vat.js' */

/** A host has gone while something was made there. */
export class HostGone extends Error {}

/** A host has reported that it cannot make a vat, or that the vat's thread has ended. */
export class CannotMake extends HostGone {}

/** Bound on reports that a vat cannot be made. */
const mostTries = 10;

/**
 * Bound on losses of a vat in one delivery, or while it is made anew. Hosts are also lost by no fault of the vat, so it is
 * far larger.
 */
const mostLosses = 32;

/** @param {Pick<HostedVat, 'name'>} vat @param {number} losses @param {string} when @returns {UserError | undefined} */
const lostTooOften = ({ name }, losses, when) =>
  losses <= mostLosses
    ? undefined
    : new UserError(
        `vat ${name} was lost ${losses} times ${when}, so no host can run it; the lines about hosts that are gone say why; when the cause is gone, the same command goes on with the run`,
        { exitCode: 1 },
      );

/**
 * Count a loss of a vat in its delivery.
 *
 * @param {HostedVat} vat
 * @param {Call} call
 * @returns {UserError | undefined} an error if there are too many
 */
export const noteLoss = (vat, call) => {
  call.losses += 1;
  return lostTooOften(vat, call.losses, `in its delivery ${vat.taken + 1}`);
};

/**
 * A function that counts failed attempts to make a vat anew.
 *
 * @param {Pick<HostedVat, 'name'>} vat
 * @returns {(problem: HostGone) => void} throws a UserError if there are too many
 */
export const makeFailureCount = vat => {
  let [tries, losses] = [0, 0];
  return problem => {
    if (problem instanceof CannotMake) tries += 1;
    else losses += 1;
    if (tries === mostTries)
      throw new UserError(
        `vat ${vat.name} could not be brought back on any host in ${mostTries} tries: ${problem.message}; start hosts with more memory, then the same command goes on with the run`,
        { exitCode: 1 },
      );
    const error = lostTooOften(vat, losses, 'while it was made anew');
    if (error !== undefined) throw error;
  };
};
