// The modules of today's vats. Where there is a library they are the library, but that objects, presences and
// promises are made by ours, which is the only thing that a vat could tell apart.

import { E, HandledPromise } from '../eventual-send/index.js';
import { Far, Remotable, getInterfaceOf, passStyleOf } from '../marshal/index.js';
import * as errors from '@endo/errors';
import * as marshal from '@endo/marshal';
import * as nat from '@endo/nat';
import * as passStyle from '@endo/pass-style';
import { deeplyFulfilled } from './deeply-fulfilled.js';
import { isPromise, makePromiseKit, racePromises } from './promise-kit.js';

const own = { Far, Remotable, deeplyFulfilled };

/** @returns {Record<string, Record<string, unknown>>} exports by module name */
export const makeEndoShims = () => ({
  '@endo/errors': { ...errors },
  '@endo/eventual-send': { E, HandledPromise },
  '@endo/far': { E, Far, getInterfaceOf, passStyleOf },
  '@endo/harden': { default: harden },
  '@endo/marshal': { ...marshal, ...own },
  '@endo/nat': { ...nat },
  '@endo/pass-style': { ...passStyle, ...own },
  '@endo/promise-kit': { isPromise, makePromiseKit, racePromises },
});
