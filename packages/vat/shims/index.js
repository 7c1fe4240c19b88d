// The modules that vats import by name and that the system provides: one E, one Far, one marshalling for all.

import { E, HandledPromise } from '../eventual-send/index.js';
import { Far, Remotable, getInterfaceOf, makeTagged, passStyleOf } from '../marshal/index.js';

/**
 * @returns {Record<string, Record<string, unknown>>} exports by module name
 */
export const makeVatShims = () => {
  const eventualSend = { E, HandledPromise };
  const far = { E, Far, getInterfaceOf, passStyleOf };
  return {
    '@endo/eventual-send': eventualSend,
    '@agoric/eventual-send': eventualSend,
    '@endo/far': far,
    '@endo/marshal': { Far, Remotable, getInterfaceOf, makeTagged, passStyleOf },
    '@agoric/marshal': { Far, Remotable, getInterfaceOf },
  };
};
