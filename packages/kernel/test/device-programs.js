// Programs with a device.

/** @typedef {import('#testkit').React} React */

/** @type {React} */
export const idle = () => {};
