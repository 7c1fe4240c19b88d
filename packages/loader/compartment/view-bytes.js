// The bytes of what a vat calls an ArrayBuffer or a view, without a property of it being read: a vat can define any.

import { types } from 'node:util';

/** @param {object} prototype @param {string} name @returns {(self: any) => any} */
const makeReader = (prototype, name) => {
  const { get } = /** @type {{ get: () => any }} */ (
    Object.getOwnPropertyDescriptor(prototype, name)
  );
  return self => Reflect.apply(get, self, []);
};

const arrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);

const readersOfArray = {
  buffer: makeReader(arrayPrototype, 'buffer'),
  byteOffset: makeReader(arrayPrototype, 'byteOffset'),
  byteLength: makeReader(arrayPrototype, 'byteLength'),
};

const readersOfView = {
  buffer: makeReader(DataView.prototype, 'buffer'),
  byteOffset: makeReader(DataView.prototype, 'byteOffset'),
  byteLength: makeReader(DataView.prototype, 'byteLength'),
};

/**
 * @param {unknown} source
 * @returns {Uint8Array | undefined}  of the host's own, on the same memory; undefined for what has no bytes
 */
export const viewBytes = source => {
  if (types.isArrayBuffer(source)) return new Uint8Array(source);
  if (!ArrayBuffer.isView(source)) return undefined;
  const { buffer, byteOffset, byteLength } = types.isDataView(source)
    ? readersOfView
    : readersOfArray;
  return new Uint8Array(buffer(source), byteOffset(source), byteLength(source));
};
