// The plain values that all other folders use. Imports nothing.

export * from './capdata.js';
export * from './ascii.js';
export * from './bytes.js';
export * from './churn-map.js';
export * from './key-order.js';
export { decimal } from './decimal.js';
export * from './ref-map.js';
export * from './delivery.js';
export * from './errors.js';
export { explainFileError, insistEnds, isDiskFull } from './file-errors.js';
export { freezeWithGetters } from './freeze-with-getters.js';
export { escapeHtml } from './html.js';
export * from './ids.js';
export { endOfString } from './json-string.js';
export * from './inert.js';
export { forms, insistFields } from './forms.js';
export { isRecord } from './is-record.js';
export * from './kinds.js';
export { keepShape } from './keep-shape.js';
export { didYouMean, editDistance, findNearestName, suggestName } from './nearest-name.js';
export * from './options.js';
export { quantileSorted } from './quantile.js';
export * from './reactor-report.js';
export { readReactorReport, writeReactorReport } from './reactor-report-bytes.js';
export * from './schema.js';
export * from './tag.js';
export * from './tag-log.js';
export * from './terminal.js';
export * from './text-order.js';
export * from './transcript.js';
export * from './twice.js';
export * from './units.js';
export { isVatLimits, vatLimitsExpected, vatLimitsSchema } from './vat-limits.js';
export * from './vat-name.js';
export * from './vat-reactors.js';
export { withLast } from './with-last.js';
export * from './worker-count.js';

/** @typedef {import('./forms.js').Form} Form */
/** @typedef {import('./forms.js').Forms} Forms */
/** @typedef {import('./vat-limits.js').VatLimits} VatLimits */
