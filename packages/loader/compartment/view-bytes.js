// Gets the bytes of a vat's ArrayBuffer or view without reading a property of it, since a vat can define any property.

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
 * @returns {Uint8Array | undefined}  a view of the host on the same memory; undefined for any other value
 */
export const viewBytes = source => {
  if (types.isArrayBuffer(source)) return new Uint8Array(source);
  if (!ArrayBuffer.isView(source)) return undefined;
  const { buffer, byteOffset, byteLength } = types.isDataView(source)
    ? readersOfView
    : readersOfArray;
  return new Uint8Array(buffer(source), byteOffset(source), byteLength(source));
};
