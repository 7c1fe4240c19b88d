// One way from a vat's source to a running vat, in a process of its own: bundle it for the first
// time and again, and import the bundle for the first time and again. Started by suite.js.

import { fileURLToPath } from 'node:url';
import { ensureLockdown } from '../../packages/loader/lockdown.js';
import { answer } from '../process.js';

/**
 * @typedef {object} RunOptions
 * @property {'ours' | 'nestedEvaluate' | 'endoScript'} format
 * @property {string} cacheDir  of ours
 * @property {boolean} [isCold]  ours: forget the compiled modules between two bundles
 * @property {number} again  the number of repetitions
 */

/**
 * @typedef {object} RunResult
 * @property {number} loadMs  of the program that bundles
 * @property {number} firstBundleMs
 * @property {number[]} bundleMs  all others
 * @property {number} firstImportMs
 * @property {number[]} importMs
 * @property {number} bytes  of the bundle's text
 * @property {string} id  of ours
 */

const source = fileURLToPath(new URL('../../demos/pingpong/vat-bob.js', import.meta.url));

/** @type {<T>(act: () => T | Promise<T>) => Promise<{ value: T, ms: number }>} */
const time = async act => {
  const start = performance.now();
  const value = await act();
  return { value, ms: performance.now() - start };
};

/** @param {RunOptions} options @returns {Promise<() => Promise<object>>} */
const loadBundler = async ({ format, cacheDir, isCold = false }) => {
  if (format !== 'ours') {
    const { default: bundleSource } = await import('@endo/bundle-source');
    // `dev`, since @endo/far is a development dependency.
    return () => bundleSource(source, { format, dev: true });
  }
  const { bundleVat } = await import('../../packages/loader/bundle/index.js');
  const { forgetCompiled } = await import('../../packages/loader/bundle/compiled-cache.js');
  return async () => {
    forgetCompiled();
    const { bundle } = await bundleVat(source, isCold ? {} : { cacheDir });
    return bundle;
  };
};

await answer(async (/** @type {RunOptions} */ options) => {
  const { format, cacheDir, again } = options;
  // Theirs needs SES to load, and bundles are imported under lockdown.
  await ensureLockdown();
  const { value: bundleOnce, ms: loadMs } = await time(() => loadBundler(options));
  const { value: made, ms: firstBundleMs } = await time(bundleOnce);
  const bundleMs = [];
  for (let i = 0; i < again; i += 1) bundleMs.push((await time(bundleOnce)).ms);

  const { adoptBundle, prepareBundle } = await import('../../packages/loader/bundle/index.js');
  const { HandledPromise, loadVatShims } = await import('#vat');
  const shims = await loadVatShims(['@endo/far']);
  const bundle = adoptBundle(made, 'the bundle');
  const prepared = await prepareBundle(bundle, { cacheDir });
  // Another bundler's copy of `@endo/far` looks for this global.
  const endowments = format === 'ours' ? {} : { HandledPromise };
  const importOnce = () => prepared.importNow({ name: 'bob', shims, endowments });
  const { value: vat, ms: firstImportMs } = await time(importOnce);
  if (typeof vat.namespace.buildRootObject !== 'function')
    throw Error('the module exports no buildRootObject');
  const importMs = [];
  for (let i = 0; i < again; i += 1) importMs.push((await time(importOnce)).ms);

  /** @type {RunResult} */
  const result = {
    loadMs,
    firstBundleMs,
    bundleMs,
    firstImportMs,
    importMs,
    bytes: JSON.stringify(made).length,
    id: bundle.id,
  };
  return result;
});
