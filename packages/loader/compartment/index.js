// A vat's compartment, its console, and reports of its errors.

export { dateGlobalsOf2020 } from './date-2020.js';
export {
  describeErrorBriefly,
  describeErrorForRun,
  describeVatError,
  findErrorHint,
  findErrorPlace,
} from './describe-error.js';
export {
  ErrorReport,
  explainError,
  noteVatUrl,
  reportError,
  reviveReport,
} from './error-report.js';
export { formatLog, joinParts } from './format-log.js';
export { inspectValue } from './inspect-value.js';
export { makeVatCompartment } from './vat-compartment.js';
export { makeVatConsole } from './vat-console.js';
