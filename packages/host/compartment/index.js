// Where vats live, what they print, and what their errors say.

export {
  describeErrorBriefly,
  describeVatError,
  explainError,
  findErrorPlace,
  isErrorOfVat,
} from './describe-error.js';
export { formatLog } from './format-log.js';
export { inspectValue } from './inspect-value.js';
export { makeVatCompartment } from './vat-compartment.js';
export { makeVatConsole } from './vat-console.js';
