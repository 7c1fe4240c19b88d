// Makes a bundle from a vat's sources, and a running module from a bundle.

export { adoptBundle, bundleFormat } from '#config';
export { bundleVat } from './bundle-vat.js';
export { defaultCacheDir } from '#native/cache-dir.js';
export { importBundle, prepareBundle } from './import-bundle.js';
export { findSignOf2020 } from './sign-of-2020.js';
export { listProvided, providedModules } from './provided-modules.js';
export { usesPassStyle } from './uses-pass-style.js';
export { usesVirtualData } from './uses-virtual-data.js';
