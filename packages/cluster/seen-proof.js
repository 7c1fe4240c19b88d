// A leader tells its hosts the last acknowledged record, and a host tells the next leader, which can so detect that the
// end of the log was lost. The report has a proof, made with a secret of the run that is in the log and that no host
// can read: so a host cannot forge a record and stop the run with it.

import { createHmac, timingSafeEqual } from 'node:crypto';

/** @typedef {{ seq: number, hash: string, proof: string }} Seen */

/**
 * @param {{ id: string, secret: string }} facts  of the run
 * @param {{ seq: number, hash: string }} seen  the number and the hash of a record
 * @returns {string} hexadecimal
 */
export const proveSeen = ({ id, secret }, { seq, hash }) =>
  createHmac('sha256', secret).update(`${id} ${seq} ${hash}`).digest('hex');

/**
 * @param {{ id: string, secret: string }} facts  of the run
 * @param {any} seen  the claim of a host
 * @returns {seen is Seen} whether a leader of this run made the proof
 */
export const isProven = (facts, seen) => {
  if (typeof seen !== 'object' || seen === null) return false;
  const { seq, hash, proof } = seen;
  if (!Number.isSafeInteger(seq) || typeof hash !== 'string' || typeof proof !== 'string')
    return false;
  const right = Buffer.from(proveSeen(facts, { seq, hash }));
  const given = Buffer.from(proof);
  return right.length === given.length && timingSafeEqual(right, given);
};
