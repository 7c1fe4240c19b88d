// The entry `swingset-runner/swingset`: the names and shapes of `@agoric/swingset-vat`, for host programs that were
// written for it.

import { refuse } from './refuse.js';

export { makeSwingsetController } from './controller.js';
export { buildBridge } from './devices/bridge.js';
export { buildCommand } from './devices/command.js';
export { buildLoopbox } from './devices/loopbox.js';
export {
  buildMailbox,
  buildMailboxStateMap,
  exportMailboxData,
  makeEphemeralMailboxStorage,
} from './devices/mailbox.js';
export { buildPlugin } from './devices/plugin.js';
export { buildTimer } from './devices/timer.js';
export {
  buildKernelBundle,
  buildKernelBundles,
  buildSwingsetKernelConfig,
  buildVatAndDeviceBundles,
  buildVatController,
  initializeSwingset,
  initializeSwingsetKernel,
  swingsetIsInitialized,
  upgradeSwingset,
} from './initialise.js';
export { krefOf, kser, kslot, kunser } from './kmarshal.js';
export { shape } from './shape.js';
export { initSwingStore, isSwingStore, openSwingStore } from './swing-store.js';
export { loadBasedir, loadSwingsetConfigFile, normalizeConfig } from './swingset-config.js';

export const applyVatOptionUpdates = refuse(
  'applyVatOptionUpdates',
  "the view of the key-value store cannot be written; a vat's options are changed by its admin node",
);
