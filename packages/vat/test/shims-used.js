// Modules that vats of 2020 import.

// After lockdown, which the modules of a vat count on.
export const { makeVatShims } = await import('../shims/index.js');

/** @type {Record<string, Record<string, any>>} */
export const shims = makeVatShims();
