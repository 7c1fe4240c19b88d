// The devices that a config can ask for by name alone, and by the paths that they had in SwingSet's own package.

/** They come with the system (packages/system-vats/devices). */
export const deviceNames = Object.freeze([
  'vatAdmin',
  'timer',
  'mailbox',
  'command',
  'bridge',
  'loopbox',
]);

/** `@agoric/swingset-vat/src/devices/timer/device-timer.js`, `@agoric/SwingSet/src/devices/mailbox-src.js` */
const spec = /^@agoric\/(?:swingset-vat|swingset)\/src\/devices\/(?:[\w-]+\/)?([\w-]+)\.js$/i;

/**
 * @param {string} sourceSpec
 * @returns {string | undefined} the name of the device, if it is one of the system's
 */
export const findDeviceBySpec = sourceSpec => {
  const file = spec.exec(sourceSpec)?.[1];
  const name = file?.replace(/^device-/, '').replace(/-src$/, '');
  return deviceNames.find(known => known === name);
};
