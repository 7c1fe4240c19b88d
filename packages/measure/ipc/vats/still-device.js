// A device that does nothing: what remains is the way there and back.

import { Far } from '@endo/far';

export const buildRootDeviceNode = () => Far('still', { nothing() {} });
