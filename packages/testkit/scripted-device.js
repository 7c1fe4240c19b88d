// Makes a device from functions of its powers, for tests of the kernel.

/** @import { DevicePowers } from '#kernel' */
/** @import { CapData } from '#model' */
/** @import { TestDevice } from './test-kernel.js' */

/**
 * @typedef {object} DeviceScript
 * @property {Record<string, (powers: DevicePowers, args: CapData) => CapData | void>} [methods]
 * @property {(powers: DevicePowers) => void} [wake]
 * @property {(powers: DevicePowers, said: string) => void} [input]
 * @property {() => void} [reset]
 */

/** @type {CapData} in either notation, since nothing reads it */
const nothing = { body: '#"#undefined"', slots: [] };

/**
 * @param {DeviceScript} script
 * @returns {TestDevice}
 */
export const scriptedDevice = ({
  methods = {},
  wake = () => {},
  input = () => {},
  reset = () => {},
}) => ({
  build: powers => ({
    invoke: (_node, method, args) => ({
      kind: 'return',
      data: methods[method](powers, args) ?? nothing,
    }),
    wake: () => wake(powers),
    input: said => input(powers, said),
    reset,
  }),
});
