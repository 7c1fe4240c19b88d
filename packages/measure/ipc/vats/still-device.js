// A device that does nothing, so that only the cost of the call remains.

import { Far } from '@endo/far';

export const buildRootDeviceNode = () => Far('still', { nothing() {} });
