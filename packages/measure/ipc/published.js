// The figures that L4Re publishes ("Performance Overview", of a single IPC, averages over tens of thousands of calls):
// cycles of ARM's cycle counter; on x86 the fixed-function counters 2 (time-stamp counter), 1 (unhalted core cycles)
// and 0 (instructions).

/**
 * @typedef {object} PublishedRow
 * @property {string} platform
 * @property {string} processor
 * @property {number[]} intra  one figure, or the figures of counters 2, 1 and 0
 * @property {number[]} inter
 * @property {number[]} syscall
 */

/** @type {(platform: string, processor: string, intra: number[], inter: number[], syscall: number[]) => PublishedRow} */
const row = (platform, processor, intra, inter, syscall) => ({
  platform,
  processor,
  intra,
  inter,
  syscall,
});

export const publishedRows = Object.freeze([
  row('Raspberry Pi 5, EL1', 'Arm Cortex-A76', [247], [384], [138]),
  row('Raspberry Pi 5, EL2', 'Arm Cortex-A76', [300], [401], [202]),
  row('Raspberry Pi 4, EL1', 'Arm Cortex-A72', [505], [702], [305]),
  row('Raspberry Pi 4, EL2', 'Arm Cortex-A72', [1388], [1600], [567]),
  row('NXP S32G2, EL1', 'Arm Cortex-A53', [562], [691], [230]),
  row('NXP S32G2, EL2', 'Arm Cortex-A53', [661], [770], [228]),
  row('Ampere Altra, EL1', 'Arm Neoverse-N1', [257], [399], [142]),
  row('Ampere Altra, EL2', 'Arm Neoverse-N1', [299], [440], [148]),
  row('x86-64', 'Intel N100', [173, 622, 557], [390, 1388, 613], [52, 188, 147]),
  row('x86-64', 'Intel Xeon Platinum 8352S', [511, 649, 543], [934, 1128, 587], [222, 160, 148]),
  row('x86-64', 'Intel Xeon Gold 6248R', [664, 663, 557], [1172, 1172, 613], [146, 146, 147]),
]);
