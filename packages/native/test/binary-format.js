// Reads a compiled file: its system and processor, what it exports and what it needs. It knows as much of ELF, Mach-O
// and PE as the addon's files use.

/**
 * @typedef {object} BinaryFile
 * @property {'elf' | 'mach-o' | 'pe'} format
 * @property {'x64' | 'arm64'} processor
 * @property {string[]} offered  symbols
 * @property {string[]} needed  symbols, to be found when it is loaded
 * @property {string[]} [wanted]  symbols that may be missing, of an ELF file
 * @property {string[]} libraries  to be loaded with it
 * @property {boolean} isSigned
 */

/** @param {Buffer} file @param {number} at */
const textAt = (file, at) => file.toString('latin1', at, file.indexOf(0, at));

/** @param {number} found @param {Record<number, 'x64' | 'arm64'>} known */
const processorOf = (found, known) => {
  const processor = known[found];
  if (processor === undefined) throw Error(`unknown processor ${found}`);
  return processor;
};

/** @param {Buffer} file @returns {BinaryFile} */
const readElf = file => {
  const sections = Array.from({ length: file.readUInt16LE(60) }, (_, i) => {
    const at = Number(file.readBigUInt64LE(40)) + i * file.readUInt16LE(58);
    return {
      type: file.readUInt32LE(at + 4),
      offset: Number(file.readBigUInt64LE(at + 24)),
      size: Number(file.readBigUInt64LE(at + 32)),
      link: file.readUInt32LE(at + 40),
    };
  });
  const [dynamicSymbols, dynamic] = [11, 6].map(wanted =>
    sections.find(({ type }) => type === wanted),
  );
  if (!dynamicSymbols || !dynamic) throw Error('no dynamic symbols');
  const { offset: names } = sections[dynamicSymbols.link];
  const symbols = Array.from({ length: dynamicSymbols.size / 24 }, (_, i) => {
    const at = dynamicSymbols.offset + 24 * i;
    return {
      name: textAt(file, names + file.readUInt32LE(at)),
      // STB_WEAK
      isWeak: file[at + 4] >> 4 === 2,
      section: file.readUInt16LE(at + 6),
    };
  }).filter(({ name }) => name !== '');
  const libraries = [];
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
    // DT_NEEDED
    if (file.readBigInt64LE(at) === 1n)
      libraries.push(textAt(file, names + Number(file.readBigUInt64LE(at + 8))));
  }
  return {
    format: 'elf',
    processor: processorOf(file.readUInt16LE(18), { 62: 'x64', 183: 'arm64' }),
    offered: symbols.filter(({ section }) => section !== 0).map(({ name }) => name),
    needed: symbols
      .filter(({ section, isWeak }) => section === 0 && !isWeak)
      .map(({ name }) => name),
    wanted: symbols
      .filter(({ section, isWeak }) => section === 0 && isWeak)
      .map(({ name }) => name),
    libraries,
    isSigned: false,
  };
};

/** @param {Buffer} file @returns {BinaryFile} */
const readMachO = file => {
  /** @type {BinaryFile} */
  const found = {
    format: 'mach-o',
    processor: processorOf(file.readUInt32LE(4), { 0x01000007: 'x64', 0x0100000c: 'arm64' }),
    offered: [],
    needed: [],
    libraries: [],
    isSigned: false,
  };
  let at = 32;
  for (let i = 0; i < file.readUInt32LE(16); i += 1) {
    const command = file.readUInt32LE(at);
    // LC_LOAD_DYLIB
    if (command === 0xc) found.libraries.push(textAt(file, at + file.readUInt32LE(at + 8)));
    // LC_CODE_SIGNATURE
    if (command === 0x1d) found.isSigned = true;
    // LC_SYMTAB
    if (command === 0x2) {
      const [symbols, count, names] = [8, 12, 16].map(place => file.readUInt32LE(at + place));
      for (let n = 0; n < count; n += 1) {
        const symbol = symbols + 16 * n;
        const type = file[symbol + 4];
        // Not external.
        if ((type & 1) === 0) continue;
        const name = textAt(file, names + file.readUInt32LE(symbol)).replace(/^_/, '');
        (type & 0x0e ? found.offered : found.needed).push(name);
      }
    }
    at += file.readUInt32LE(at + 4);
  }
  return found;
};

/** @param {Buffer} file @returns {BinaryFile} */
const readPe = file => {
  const header = file.readUInt32LE(0x3c) + 4;
  const optional = header + 20;
  const sections = Array.from({ length: file.readUInt16LE(header + 2) }, (_, i) => {
    const at = optional + file.readUInt16LE(header + 16) + 40 * i;
    return [12, 8, 20].map(place => file.readUInt32LE(at + place));
  });
  /** @param {number} address  in memory */
  const place = address => {
    const section = sections.find(([start, size]) => address >= start && address < start + size);
    if (!section) throw Error(`nothing is at ${address}`);
    return section[2] + address - section[0];
  };
  const [exportsAt, importsAt] = [112, 120].map(at => file.readUInt32LE(optional + at));
  const table = place(exportsAt);
  const names = place(file.readUInt32LE(table + 32));
  const libraries = [];
  const needed = [];
  for (let at = place(importsAt); file.readUInt32LE(at + 12) !== 0; at += 20) {
    libraries.push(textAt(file, place(file.readUInt32LE(at + 12))));
    for (let entry = place(file.readUInt32LE(at)); file.readUInt32LE(entry) !== 0; entry += 8)
      needed.push(textAt(file, place(file.readUInt32LE(entry)) + 2));
  }
  return {
    format: 'pe',
    processor: processorOf(file.readUInt16LE(header), { 0x8664: 'x64', 0xaa64: 'arm64' }),
    offered: Array.from({ length: file.readUInt32LE(table + 24) }, (_, i) =>
      textAt(file, place(file.readUInt32LE(names + 4 * i))),
    ),
    needed,
    libraries,
    isSigned: false,
  };
};

/** @param {Buffer} file */
export const readBinary = file => {
  const start = file.toString('latin1', 0, 4);
  if (start === '\x7fELF') return readElf(file);
  if (file.readUInt32LE(0) === 0xfeedfacf) return readMachO(file);
  if (start.startsWith('MZ')) return readPe(file);
  throw Error('neither ELF nor Mach-O nor PE');
};
