// The vats that a config can ask for, and a vat import, by the paths that they had in SwingSet's own package.

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
 * @returns {string | undefined} the name of the vat, if it is one of the system's
 */
export const findVatBySpec = sourceSpec => {
  const file = spec.exec(sourceSpec)?.[1];
  return file !== undefined && Object.hasOwn(vatFiles, file) ? vatFiles[file] : undefined;
};

/** The modules that a vat can import, and which vat each is. @type {ReadonlyMap<string, string>} */
export const vatModules = new Map(
  Object.entries(vatFiles).flatMap(([file, name]) =>
    ['', '.js'].map(ending => [`@agoric/swingset-vat/src/vats/${file}${ending}`, name]),
  ),
);
