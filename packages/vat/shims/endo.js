// The modules of today's vats: the libraries, except that objects, presences and promises are made by our own code, and
// that nothing of the host is reached through them.

import { Far, getErrorConstructor, passStyleOf, Remotable } from '../marshal/index.js';
import * as marshal from '@endo/marshal';
import * as nat from '@endo/nat';
import * as passStyle from '@endo/pass-style';
import { deeplyFulfilled } from './deeply-fulfilled.js';
import { makeUsualShims } from './usual.js';

const own = { Far, Remotable, deeplyFulfilled, getErrorConstructor, passStyleOf };

/** @returns {Record<string, Record<string, unknown>>} exports by module name */
export const makeEndoShims = () => ({
  ...makeUsualShims(),
  '@endo/marshal': { ...marshal, ...own },
  '@endo/nat': { ...nat },
  '@endo/pass-style': { ...passStyle, ...own },
});
