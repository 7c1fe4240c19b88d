// The system's vats that a config may name, and a vat import, by their paths in SwingSet's own package.

/** They come with the system (packages/system-vats). @type {Readonly<Record<string, string>>} */
const vatFiles = Object.freeze({
  comms: 'comms',
  'comms/index': 'comms',
  'vattp/vat-vattp': 'vattp',
  'vat-tp': 'vattp',
});

/** `@agoric/swingset-vat/src/vats/vattp/vat-vattp.js`, `@agoric/swingset-vat/src/vats/comms` */
const spec = /^@agoric\/(?:swingset-vat|swingset)\/src\/vats\/([\w/-]+?)(?:\.js)?$/i;

/**
 * @param {string} sourceSpec
 * @returns {string | undefined} the name of the vat, if it comes with the system
 */
export const findVatBySpec = sourceSpec => {
  const file = spec.exec(sourceSpec)?.[1];
  return file !== undefined && Object.hasOwn(vatFiles, file) ? vatFiles[file] : undefined;
};

/** From the specifier of an import to the name of the system's vat. @type {ReadonlyMap<string, string>} */
export const vatModules = new Map(
  Object.entries(vatFiles).flatMap(([file, name]) =>
    ['', '.js'].map(ending => [`@agoric/swingset-vat/src/vats/${file}${ending}`, name]),
  ),
);
