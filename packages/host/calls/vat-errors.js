// Makes the error of a rejected call, from the vat's rejection and the report of its error.

import { readError } from '#model';
import { describeVatError, findErrorHint, findErrorPlace, inspectValue } from '#loader/compartment';
import { parseError } from '../explain/rejection.js';
import { VatError } from './errors.js';

/** @import { CapData } from '#model' */
/** @import { ErrorReport } from '#loader/compartment' */

/**
 * Finds the report of an error that left a vat in this process: by its id, or else by the name and message that other
 * vats get.
 *
 * @typedef {(sought: { errorId?: string, name: string, message: string }) => ErrorReport | undefined} FindReport
 */

/**
 * @param {unknown} value  decoded
 * @param {CapData} data  of the value
 * @param {{ vat: string, method: string }} call
 * @param {FindReport} findReport
 * @returns {VatError}
 */
export const makeVatError = (value, data, { vat, method }, findReport) => {
  const parsed = parseError(data);
  if (parsed === undefined) {
    const message = `${vat}.${method}() was rejected with ${inspectValue(value)}`;
    return new VatError({ name: 'Error', message, vat, method, reason: value });
  }
  const { name, message } = readError(value);
  const { errorId } = parsed;
  const report = findReport({ ...parsed });
  const place = report && findErrorPlace(report);
  const hint = report && findErrorHint(report);
  const frames = report === undefined ? [] : describeVatError(vat, report).split('\n').slice(1);
  // The host gets the original text of an engine's error, which vats do not.
  const own =
    report?.told === undefined ? {} : { name: report.name ?? name, message: report.message };
  return new VatError({
    ...{ name, message, ...own, vat, method, frames },
    ...(errorId !== undefined && { errorId }),
    ...(place !== undefined && { place }),
    ...(hint !== undefined && { hint }),
  });
};
