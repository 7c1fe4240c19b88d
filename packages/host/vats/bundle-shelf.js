// The installed bundles of a run, by id, which is a hash of the content. They are kept in the state, so that a resumed
// run needs no sources; prepared bundles are kept in memory, so that a second vat of a bundle is made at once.

import { quote, UserError } from '#model';
import { isBundleShape, toolsBundle } from '#config';
import { adoptBundle } from '#loader/bundle';
import { bundleNameKey } from './bundle-names.js';
import { readObjectRow, readWhole } from '../state/read-whole.js';
import { prepareVat } from './vats.js';

/** @import { Bundle } from '#config/bundle-format.js' */
/** @import { Kernel } from '#kernel' */
/** @import { PreparedVat, VatSource } from './vats.js' */

const bundleKey = (/** @type {string} */ id) => /** @type {const} */ (`host.bundle.${id}`);
const archiveKey = (/** @type {string} */ id) => /** @type {const} */ (`host.archive.${id}`);
const urlsKey = (/** @type {string} */ id) => /** @type {const} */ (`local.sourceUrls.${id}`);

/**
 * @param {string} id
 * @param {string} text
 * @returns {Bundle}
 */
const readBundleRow = (id, text) => {
  const bundle = readObjectRow(bundleKey(id), text);
  return readWhole(`the state's bundle ${quote(id)} is`, () => {
    if (!isBundleShape(bundle)) throw Error('it is not whole');
    return bundle;
  });
};

/**
 * Copy a bundle from another state.
 *
 * @param {string} id
 * @param {Pick<Kernel, 'getHostValue'>} from
 * @param {Pick<Kernel, 'getHostValue' | 'setHostValue'>} to
 * @throws {UserError} if the other state lacks it
 */
export const moveBundle = (id, from, to) => {
  for (const key of [bundleKey(id), urlsKey(id), archiveKey(id)]) {
    const value = from.getHostValue(key);
    if (value === undefined && key === bundleKey(id))
      throw new UserError(
        `the recording has no bundle ${quote(id)}; replay a whole copy of the database`,
        { exitCode: 1 },
      );
    if (to.getHostValue(key) === undefined) to.setHostValue(key, value);
  }
};

export class BundleShelf {
  /** @type {Map<string, PreparedVat>} */
  #prepared = new Map();

  /** Bundles that were made in this process and not prepared yet: their texts need not be parsed. @type {Map<string, Bundle>} */
  #made = new Map();

  #kernel;

  #cacheDir;

  /**
   * @param {Pick<Kernel, 'getHostValue' | 'setHostValue'>} kernel
   * @param {string | undefined} cacheDir
   */
  constructor(kernel, cacheDir) {
    this.#kernel = kernel;
    this.#cacheDir = cacheDir;
  }

  /**
   * @param {VatSource} source
   * @returns {string} its id
   */
  install({ bundle, sourceUrls, isMade }) {
    if (!this.has(bundle.id)) {
      this.#kernel.setHostValue(bundleKey(bundle.id), JSON.stringify(bundle));
      this.#kernel.setHostValue(urlsKey(bundle.id), JSON.stringify(sourceUrls));
      if (isMade) this.#made.set(bundle.id, bundle);
    }
    return bundle.id;
  }

  /**
   * Install the output of a bundler, ours or SwingSet's.
   *
   * @param {object} bundle
   * @returns {{ id: string, isNew: boolean }} `isNew`: whether it was not installed before
   * @throws {UserError} if it is not a bundle
   */
  installForeign(bundle) {
    const adopted = adoptBundle(bundle, 'the bundle of a new vat');
    const isNew = !this.has(adopted.id);
    return { id: this.install({ bundle: adopted, sourceUrls: {} }), isNew };
  }

  /** @param {string} id */
  has(id) {
    return this.#kernel.getHostValue(bundleKey(id)) !== undefined;
  }

  /**
   * @param {string} name  in the config
   * @param {string} id
   */
  setName(name, id) {
    this.#kernel.setHostValue(bundleNameKey(name), id);
  }

  /** @param {string} name  in the config */
  findByName(name) {
    return this.#kernel.getHostValue(bundleNameKey(name));
  }

  /**
   * The URLs of a bundle's files on this machine, for messages.
   *
   * @param {string} id
   * @returns {Record<string, string>}
   */
  sourceUrls(id) {
    const key = urlsKey(id);
    const urls = readObjectRow(key, this.#kernel.getHostValue(key) ?? '{}');
    return readWhole(`the state's ${quote(key)} is`, () => {
      if (!Object.values(urls).every(url => typeof url === 'string'))
        throw Error('it must hold URLs');
      return urls;
    });
  }

  /**
   * @param {string} id
   * @returns {VatSource | undefined}
   */
  find(id) {
    const text = this.#kernel.getHostValue(bundleKey(id));
    if (text === undefined) return undefined;
    const bundle = this.#made.get(id) ?? readBundleRow(id, text);
    return { bundle, sourceUrls: this.sourceUrls(id) };
  }

  /**
   * The bundle of a vat.
   *
   * @param {string} id
   * @returns {VatSource}
   * @throws {UserError} the state lacks it
   */
  require(id) {
    return readWhole('the state is', () => {
      const found = this.find(id);
      if (found === undefined) throw Error(`bundle ${quote(String(id).slice(0, 100))} is missing`);
      return found;
    });
  }

  /**
   * Keep an archive of a bundle of this package's format, for vats that import the bundle themselves.
   *
   * @param {string} id
   * @param {Record<string, string>} archive
   */
  setArchive(id, archive) {
    this.#kernel.setHostValue(archiveKey(id), JSON.stringify(archive));
  }

  /**
   * The bundle in the form of the tool that made it, or as its archive.
   *
   * @param {string} id
   * @returns {Record<string, string> | undefined} undefined for one of this package's format without an archive, and for an
   *   unknown id
   */
  findAsMade(id) {
    const archive = this.#kernel.getHostValue(archiveKey(id));
    if (archive !== undefined) return readObjectRow(archiveKey(id), archive);
    const found = this.find(id);
    return found && toolsBundle(found.bundle);
  }

  /**
   * Whether the code of a bundle can ask for other bundles, by its text.
   *
   * @param {string} id
   */
  mayAskForBundles(id) {
    const { modules, foreign } = this.require(id).bundle;
    const asks = (/** @type {string | Buffer} */ text) => text.includes('getBundle(');
    if (foreign === undefined) return Object.values(modules).some(({ source }) => asks(source));
    // An archive's files are stored as they are.
    return asks(foreign.source) || asks(Buffer.from(foreign.source, 'base64'));
  }

  /**
   * Prepare a bundle for a vat; synchronous if it was prepared before.
   *
   * @param {string} id
   * @returns {PreparedVat | Promise<PreparedVat>}
   */
  prepare(id) {
    const known = this.#prepared.get(id);
    if (known !== undefined) return known;
    const { bundle, sourceUrls } = this.require(id);
    const isMade = this.#made.has(id);
    return prepareVat(bundle, sourceUrls, this.#cacheDir, isMade).then(prepared => {
      this.#prepared.set(id, prepared);
      this.#made.delete(id);
      return prepared;
    });
  }
}
