// Says why a vat or a whole run takes no messages any more: the vat's last error, or the rejection of `bootstrap`.

import { quote, showInLine } from '#model';
import { describeErrorBriefly } from '#loader/compartment';
import { readBootstrapResult } from '../state/bootstrap-result.js';
import { parseError } from './rejection.js';
import { showData } from './show-data.js';

/** @import { Kernel } from '#kernel' */
/** @import { VatWatch } from '../vats/vat-watch.js' */

/** Bound on the vats that are named. */
const mostVats = 5;

/**
 * @param {Kernel} kernel
 * @param {Pick<VatWatch, 'findLastError'>} watch
 * @param {string} vatName
 * @returns {string | undefined} undefined if the vat has not failed in this process
 */
const explainVat = (kernel, { findLastError }, vatName) => {
  const hasFailed = kernel.vats().some(({ name, hasFailed: has }) => name === vatName && has);
  const report = hasFailed ? findLastError(vatName) : undefined;
  return report && `vat ${quote(vatName)} has failed: ${describeErrorBriefly(report)}`;
};

/**
 * @param {Kernel} kernel
 * @param {Pick<VatWatch, 'findLastError'>} watch
 * @param {string} vatName  of the vat that was to get a message
 * @returns {string | undefined} undefined if nothing more is known than that it takes none
 */
export const explainEnded = (kernel, watch, vatName) => {
  if (!kernel.isStopped) return explainVat(kernel, watch, vatName);
  const { data } = kernel.promiseStatus(readBootstrapResult(kernel));
  const error = data && parseError(data);
  const failed = kernel.vats().filter(({ isStatic, hasFailed }) => isStatic && hasFailed);
  const reasons = [
    ...(error ? [showInLine(`${error.name}: ${error.message}`)] : data ? [showData(data)] : []),
    ...failed.slice(0, mostVats).map(({ name }) => explainVat(kernel, watch, name)),
  ];
  return reasons.filter(reason => reason !== undefined).join('; ');
};
