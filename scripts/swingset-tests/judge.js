// Judges a test by its output: it passes (`equal`), is refused by name, differs as a document says (`exception`), or differs; and
// why.

/** @typedef {{ result: 'equal' | 'differs' | 'exception' | 'refused', reason?: string }} Judgement */

/** Texts of our errors that name a missing feature. */
const refusals = [
  /[\w.]+\(\) is not here: (?:\\'|''|[^'\n])*/,
  /the module "[^"]+" is not provided here/,
  /"[^"]+" does not export "[^"]+"/,
  /VatData\.\w+\(\)[^'"\n]*/,
  /a vat has no option [^'\n;]*/,
  /the option \S+ is (?:not here|unknown)/,
  /calls \w+(?:\.\w+)?\(\)[^'"\n]*come later/,
];

/** Missing features that the tests of a file need. The error reaches a vat, so the test fails with another one. */
const neededByFile = /** @type {Readonly<Record<string, string>>} */ ({
  'metering/dynamic-vat-metered': 'vats are not metered here',
  'vat-admin/slow-termination/slow-termination':
    'it reads tables of SQLite (transcriptSpans), where SwingSet has its state',
});

const noSystemCranks = "the system's own vats start without cranks of their own";
const noRoutingCranks = 'routing is no crank, so a run has other steps';
const otherNumbers = 'what is exported is numbered from another number';

const noEndOfLoops =
  'vats run on this thread and are not metered, so a loop without end is not cut off';

/** Tests that never end, by file: they are not run. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
export const endless = {
  'metering/dynamic-vat-metered': {
    'exceed per-crank compute': noEndOfLoops,
    'meter decrements': noEndOfLoops,
    'unlimited meter': noEndOfLoops,
    'unlimited meter with VA restarts': noEndOfLoops,
  },
  'spawner/swingsetTests/contractHost/contractHost': { exhaustion: noEndOfLoops },
  'run-policy/run-policy': {
    'run policy - computrons':
      'vats are not metered, so a policy that waits for computrons never ends a run',
  },
};

/** Tests of intended differences, by their names: "What is not the same" of packages/swingset/README.md. */
const documented = /** @type {Readonly<Record<string, string>>} */ ({
  'controller: bootstrap export': noSystemCranks,
  'controller: simple call': noSystemCranks,
  'controller: bootstrap without pin': "a vat's root is never collected while the vat runs",
  'controller: static vats are unmetered on XS': 'vats run on this thread and are not metered',
  'vat-warehouse/warehouse: 4 vats in warehouse with 2 online': 'all vats are in memory',
  'gc/gc-vat: drop presence (export retains)': noRoutingCranks,
  'gc/gc-vat: drop presence (export drops)': noRoutingCranks,
  'gc/gc-vat: forward to fake zoe': otherNumbers,
  'devices/devices: device state': otherNumbers,
  'device-hooks/device-hooks: add hook': otherNumbers,
  'promises: circular promise resolution data': 'promises that only name each other are collected',
  'upgrade/upgrade: failed vatAdmin upgrade - bad replacement code':
    "the system's own vats are not replaced by bundles",
  'reap-all/reap-all: reap all vats':
    'when the host lets go of an object, its vat is told with the next request and not with the next crank: each link of a chain takes a round more',
  'vat-admin/create-vat: createVat holds refcount': noRoutingCranks,
  'virtualObjects/representatives: exercise cache':
    'it counts reads through a kvStore of its own; the state is not read through kvStore',
  'transcriptlessness: transcript off': 'every vat has its transcript',
});

/** Characters of a reason. */
const longestReason = 200;

/** The first lines of a failure: the lines that differ, ours with a minus, or its message. @param {string} detail */
const firstDifference = detail => {
  const changed = detail.split('\n').filter(line => /^[-+] /.test(line));
  const text =
    changed.length > 0
      ? changed.slice(0, 3).join('; ')
      : (/^message: (?:>-\n)?(.*)/m.exec(detail)?.[1] ?? '');
  return text.slice(0, longestReason);
};

/**
 * @param {string} file
 * @param {string} title
 * @param {boolean} isOk
 * @param {string} detail  what the test runner says of the failure
 * @returns {Judgement}
 */
export const judge = (file, title, isOk, detail) => {
  if (isOk) return { result: 'equal' };
  for (const refusal of refusals) {
    const found = refusal.exec(detail);
    if (found !== null) return { result: 'refused', reason: found[0].replaceAll(/\\'|''/g, "'") };
  }
  const name = `${file}: ${title}`;
  if (Object.hasOwn(documented, name)) return { result: 'exception', reason: documented[name] };
  if (Object.hasOwn(neededByFile, file)) return { result: 'refused', reason: neededByFile[file] };
  return { result: 'differs', reason: firstDifference(detail) };
};
