// Passes the output of vats' and devices' `testLog` to the observer of the run.

/** @import { VatObserver } from './vats.js' */

/**
 * Report a call of `testLog`.
 *
 * @param {Pick<VatObserver, 'onConsole' | 'onTestLog'>} observer
 * @param {string} name
 * @param {string} text
 */
export const tellTestLog = (observer, name, text) => {
  if (observer.onTestLog === undefined) observer.onConsole(name, 'log', text);
  else observer.onTestLog(name, text);
};
