// Shows c-lists and stores of vats, in lines that are the same for every kernel. Objects go by their owner and by the part of
// their vref that both kernels number alike: durable ones by all of it, virtual ones without their kind, others by nothing.

/** @typedef {{ get: (key: string) => string | undefined, getNextKey: (key: string) => string | undefined }} KvStore  with SwingSet's keys */

/** @param {string} vref  of an export */
const shorten = vref =>
  vref
    .replace(/^o\+0$/, 'root')
    .replace(/^o\+\d+$/, 'object')
    .replace(/^o\+v\d+/, 'virtual')
    .replace(/^o\+/, '');

/**
 * @param {(kref: string) => { vatId: string, vref: string } | undefined} findExport  of an object that its owner has not lost
 * @param {(vatId: string) => string} nameVat
 * @returns {(kref: string) => string} gives an object the same name for good
 */
export const makeObjectNames = (findExport, nameVat) => {
  /** @type {Map<string, string>} */
  const known = new Map();
  return kref => {
    const before = known.get(kref);
    if (before !== undefined) return before;
    const found = findExport(kref);
    if (found === undefined) return 'nobody’s';
    const owner = nameVat(found.vatId);
    const name = owner === 'vatAdmin' ? owner : `${owner}:${shorten(found.vref)}`;
    known.set(kref, name);
    return name;
  };
};

/** @param {KvStore} kvStore @param {string} prefix */
function* keysOf(kvStore, prefix) {
  let key = kvStore.getNextKey(prefix);
  while (key !== undefined && key.startsWith(prefix)) {
    yield key;
    key = kvStore.getNextKey(key);
  }
}

/** Keys that differ by the numbers of virtual kinds and exports. */
const uncompared = /^(?:idCounters|vom\.vkind)/;

/**
 * @param {KvStore} kvStore
 * @param {(vatId: string) => string} nameVat
 * @param {(kref: string) => string} nameObject
 * @returns {string[]} what all vats that were made during the run have, sorted within each
 */
export const lookAt = (kvStore, nameVat, nameObject) =>
  JSON.parse(kvStore.get('vat.dynamicIDs') ?? '[]').flatMap((/** @type {string} */ vatId) => {
    /** @type {Map<string, string>} */
    const names = new Map();
    const rows = [];
    for (const key of keysOf(kvStore, `${vatId}.c.k`)) {
      const kref = key.slice(`${vatId}.c.`.length);
      const [vref, flag] = String(kvStore.get(key)).split(' ').reverse();
      const isPromise = kref.startsWith('kp');
      const name = isPromise ? `promise ${kvStore.get(`${kref}.state`)}` : nameObject(kref);
      names.set(vref, isPromise ? 'promise' : name);
      const direction = vref.startsWith('o-') ? 'imports' : 'exports';
      rows.push(isPromise ? `has ${name}` : `${direction} ${name} ${flag}`);
    }
    const rename = (/** @type {string} */ text) =>
      text
        .replaceAll(/\b(?:[od]-\d+|p[+-]\d+)\b/g, vref => `[${names.get(vref) ?? 'unknown'}]`)
        .replaceAll(/o\+v\d+/g, 'virtual')
        .replaceAll(/o\+\d+\b(?![:/\d])/g, 'object');
    for (const key of keysOf(kvStore, `${vatId}.vs.`)) {
      const own = key.slice(`${vatId}.vs.`.length);
      if (!uncompared.test(own)) rows.push(`${rename(own)} = ${rename(String(kvStore.get(key)))}`);
    }
    return rows.sort().map(row => `  ${nameVat(vatId)} ${row}`);
  });
