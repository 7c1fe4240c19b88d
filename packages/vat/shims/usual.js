// The modules that nearly every vat of today imports. They load nothing that is not loaded anyway.

// First: see index.js.
import { Far, getInterfaceOf, passStyleOf } from '../marshal/index.js';
import * as errors from '@endo/errors';
import { E, HandledPromise } from '../eventual-send/index.js';
import { isPromise, makePromiseKit, racePromises } from './promise-kit.js';

/** @returns {Record<string, Record<string, unknown>>} exports by module name */
export const makeUsualShims = () => ({
  '@endo/errors': { ...errors },
  '@endo/eventual-send': { E, HandledPromise },
  '@endo/far': { E, Far, getInterfaceOf, passStyleOf },
  '@endo/harden': { default: harden },
  '@endo/promise-kit': { isPromise, makePromiseKit, racePromises },
});
