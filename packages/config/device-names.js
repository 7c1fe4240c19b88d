// The devices that a config can ask for without code: by name, or by their paths in SwingSet's own package.

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
 * @returns {string | undefined} the name of the device, if it comes with the system
 */
export const findDeviceBySpec = sourceSpec => {
  const file = spec.exec(sourceSpec)?.[1];
  const name = file?.replace(/^device-/, '').replace(/-src$/, '');
  return deviceNames.find(known => known === name);
};
