// Figures of other systems for the same programs with the same parameters: measured on one shared
// virtual machine with two x86-64 cores on 2026-11-20, medians of 5 to 10 iterations after warm-up,
// spread ±30 %. `publishedNode` has the hand-written programs (plain-node.js) from the same day,
// for comparing machines.

/** The measured systems: keys of the rows below, and the heads of their columns. */
export const peers = Object.freeze({
  lfC: 'LF C',
  lfCpp: 'LF C++',
  caf: 'CAF 1.1',
  akka: 'Akka 2.6',
});

/** @typedef {keyof typeof peers} Peer */

/** Milliseconds by number of threads. @typedef {{ 1?: number, 2?: number }} Published */

export const publishedMachine =
  'a shared virtual machine with 2 x86-64 cores, Node 20, on 2026-11-20';

/** @param {number} one @param {number} [two] @returns {Published} */
const ms = (one, two) => ({ 1: one, ...(two !== undefined && { 2: two }) });

/** @type {Record<string, { [peer in Peer]?: Published }>} */
export const publishedRows = Object.freeze({
  pingpong: { lfC: ms(127), lfCpp: ms(361, 247), caf: ms(527, 703), akka: ms(278, 303) },
  threadring: { lfC: ms(2.2), lfCpp: ms(7.3, 6.7), caf: ms(27, 21), akka: ms(70, 62) },
  count: { lfC: ms(110), lfCpp: ms(199, 195), caf: ms(193, 468), akka: ms(157, 185) },
  fjthrput: { lfC: ms(14), lfCpp: ms(23, 25), caf: ms(254, 222), akka: ms(170, 91) },
  chameneos: { lfC: ms(78), lfCpp: ms(63, 97), caf: ms(227, 181), akka: ms(127, 110) },
  big: { lfCpp: ms(2_194), caf: ms(969, 868), akka: ms(465, 601) },
  concdict: { lfC: ms(41), lfCpp: ms(51, 76), caf: ms(87, 91), akka: ms(212, 144) },
  philosopher: { lfC: ms(25), lfCpp: ms(41, 62), caf: ms(124, 216), akka: ms(105, 148) },
  banking: { lfCpp: ms(76), caf: ms(66, 74), akka: ms(97, 99) },
  trapezoid: { lfC: ms(665), lfCpp: ms(633, 321), caf: ms(618, 352), akka: ms(794, 437) },
  radixsort: { lfC: ms(248), lfCpp: ms(576, 565), caf: ms(2_421, 979), akka: ms(670, 1_088) },
});

/** The hand-written programs: a million pings, and ten million events of a clock. */
export const publishedNode = Object.freeze({
  'pingpong, ring of closures': 26,
  'pingpong, heap of events': 47,
  'timelimit, ring of closures': 350,
  'timelimit, heap of events': 660,
});
