// SwingSet's patterns for configs and bundles, made of `@endo/patterns`, which is loaded when a pattern is first read, since
// few programs do.

import { createRequire } from 'node:module';
import { lendHandledPromise, returnHandledPromise } from '#vat';

const loadMatchers = () => {
  lendHandledPromise();
  try {
    return createRequire(import.meta.url)('@endo/patterns').M;
  } finally {
    returnHandledPromise();
  }
};

const makePatterns = () => {
  const M = loadMatchers();
  const ManagerType = M.or('xsnap', 'xs-worker', 'node-subprocess', 'local');
  const Bundle = M.splitRecord({ moduleType: M.string() });
  const places = [{ sourceSpec: M.string() }, { bundleSpec: M.string() }, { bundle: Bundle }];
  /** @param {object} [optional] @param {object} [rest] */
  const namedSources = (optional, rest) =>
    M.recordOf(M.string(), M.or(...places.map(place => M.splitRecord(place, optional, rest))));
  const SwingSetConfig = M.splitRecord(
    {
      vats: namedSources({
        creationOptions: M.splitRecord({}, { critical: M.boolean() }),
        parameters: M.recordOf(M.string(), M.any()),
      }),
    },
    {
      defaultManagerType: ManagerType,
      includeDevDependencies: M.boolean(),
      defaultReapInterval: M.number(),
      snapshotInterval: M.number(),
      bootstrap: M.string(),
      bundles: namedSources(undefined, {}),
    },
  );
  return { ManagerType, Bundle, SwingSetConfig };
};

/** @type {ReturnType<typeof makePatterns> | undefined} */
let patterns;

const readPatterns = () => {
  patterns ??= makePatterns();
  return patterns;
};

/**
 * SwingSet's patterns, for `matches` and `mustMatch` of `@endo/patterns`: `ManagerType`, a worker's name; `Bundle`, an object
 * with a `moduleType`; `SwingSetConfig`, a config, not of its whole syntax.
 */
export const shape = Object.freeze({
  get ManagerType() {
    return readPatterns().ManagerType;
  },
  get Bundle() {
    return readPatterns().Bundle;
  },
  get SwingSetConfig() {
    return readPatterns().SwingSetConfig;
  },
});
