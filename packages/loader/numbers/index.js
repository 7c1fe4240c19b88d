// Arithmetic with the same results on every engine and processor.

export { powerName, powerOperator } from './raise.js';
export { provideVatMath } from './vat-math.js';
