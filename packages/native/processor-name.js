// The processor's name. An x86 processor reports it itself; an ARM core has a number, whose main part Linux shows.

import fs from 'node:fs';
import os from 'node:os';

/** MIDR_EL1: implementer (bits 24 to 31) and part (bits 4 to 15), as Arm's and others' manuals list them. */
const cores = new Map(
  Object.entries({
    '41:d03': 'Arm Cortex-A53',
    '41:d04': 'Arm Cortex-A35',
    '41:d05': 'Arm Cortex-A55',
    '41:d07': 'Arm Cortex-A57',
    '41:d08': 'Arm Cortex-A72',
    '41:d09': 'Arm Cortex-A73',
    '41:d0a': 'Arm Cortex-A75',
    '41:d0b': 'Arm Cortex-A76',
    '41:d0c': 'Arm Neoverse-N1',
    '41:d0d': 'Arm Cortex-A77',
    '41:d40': 'Arm Neoverse-V1',
    '41:d41': 'Arm Cortex-A78',
    '41:d44': 'Arm Cortex-X1',
    '41:d49': 'Arm Neoverse-N2',
    '41:d4f': 'Arm Neoverse-V2',
    '41:d8e': 'Arm Neoverse-N3',
    'c0:ac3': 'Ampere-1',
    'c0:ac4': 'Ampere-1a',
  }),
);

const registerFile = '/sys/devices/system/cpu/cpu0/regs/identification/midr_el1';

/**
 * The name of an ARM core by its main identification register.
 *
 * @param {number} register
 */
export const nameArmCore = register => {
  const implementer = ((register >>> 24) & 0xff).toString(16).padStart(2, '0');
  const part = ((register >>> 4) & 0xfff).toString(16).padStart(3, '0');
  return (
    cores.get(`${implementer}:${part}`) ?? `ARM core, implementer 0x${implementer} part 0x${part}`
  );
};

/** @param {string} told  reported by the processor itself; empty if it does not */
export const findProcessorName = told => {
  if (told.trim() !== '') return told.replace(/\s+/g, ' ').trim();
  const ofSystem = os.cpus()[0]?.model.trim() ?? '';
  if (ofSystem !== '' && ofSystem !== 'unknown') return ofSystem;
  try {
    return nameArmCore(Number(fs.readFileSync(registerFile, 'utf8')));
  } catch {
    return `unknown ${process.arch} processor`;
  }
};
