// Deliveries and syscalls in SwingSet's form: messages and settled promises are records there, answers tuples.

/** @import { Answer, CapData, Delivery, Resolution, Syscall } from '#model' */
/** @import { Item } from '#kernel' */

/** @param {CapData} data */
const dataOf = ({ body, slots }) => ({ body, slots: [...slots] });

/** @param {CapData} methargs @param {string | null} result */
const messageOf = (methargs, result) => ({ methargs: dataOf(methargs), ...(result && { result }) });

/** @param {readonly Resolution[]} resolutions */
const listOf = resolutions =>
  resolutions.map(([ref, rejected, data]) => [ref, rejected, dataOf(data)]);

/** @param {Delivery} delivery  in krefs */
export const kernelDeliveryOf = delivery => {
  if (delivery[0] !== 'notify') return vatDeliveryOf(delivery);
  const states = delivery[1].map(([kref, rejected, data]) => {
    const state = rejected ? 'rejected' : 'fulfilled';
    return [kref, { state, data: dataOf(data) }];
  });
  return ['notify', states];
};

/** @param {Delivery} delivery  in vrefs */
export const vatDeliveryOf = delivery => {
  if (delivery[0] === 'message')
    return ['message', delivery[1], messageOf(delivery[2], delivery[3])];
  return delivery[0] === 'notify' ? ['notify', listOf(delivery[1])] : [...delivery];
};

/** @param {Syscall} syscall  in vrefs */
export const vatSyscallOf = syscall => {
  if (syscall[0] === 'send') return ['send', syscall[1], messageOf(syscall[2], syscall[3])];
  return syscall[0] === 'resolve' ? ['resolve', listOf(syscall[1])] : [...syscall];
};

/** Syscalls of which SwingSet's kernel form has the vat's id. */
const withVat = [
  ...['subscribe', 'resolve', 'exit', 'abandonExports'],
  ...['vatstoreGet', 'vatstoreSet', 'vatstoreDelete', 'vatstoreGetNextKey'],
];

/** @param {string} vatId @param {Syscall} syscall  in krefs */
export const kernelSyscallOf = (vatId, syscall) => {
  const [name, ...rest] = vatSyscallOf(syscall);
  if (name === 'callNow') return ['invoke', ...rest];
  return withVat.includes(/** @type {string} */ (name)) ? [name, vatId, ...rest] : [name, ...rest];
};

/**
 * The text of an error that the kernel made, which is what SwingSet's kernel answers.
 *
 * @param {CapData} data
 * @returns {string | undefined} undefined for an error of a device of 2020
 */
const readErrorText = ({ body }) => {
  if (!body.startsWith('#{"#error":')) return undefined;
  const text = JSON.parse(body.slice(1))['#error'];
  return text.startsWith('!') ? text.slice(1) : text;
};

/** @param {Answer | undefined} answer  undefined for a syscall without one */
export const resultOf = answer => {
  if (answer === undefined) return ['ok', null];
  if (answer.kind === 'value') return ['ok', answer.value ?? null];
  return answer.kind === 'return'
    ? ['ok', dataOf(answer.data)]
    : ['error', readErrorText(answer.data) ?? dataOf(answer.data)];
};

/**
 * References of a syscall, with those of its data.
 *
 * @param {Syscall | undefined} syscall
 * @returns {string[]}
 */
export const referencesOf = syscall => {
  if (syscall === undefined) return [];
  switch (syscall[0]) {
    case 'send':
      return [syscall[1], ...syscall[2].slots, ...(syscall[3] === null ? [] : [syscall[3]])];
    case 'subscribe':
      return [syscall[1]];
    case 'resolve':
      return syscall[1].flatMap(([ref, , data]) => [ref, ...data.slots]);
    case 'exit':
      return [...syscall[2].slots];
    case 'callNow':
      return [syscall[1], ...syscall[3].slots];
    case 'dropImports':
    case 'retireImports':
    case 'retireExports':
    case 'abandonExports':
      return [...syscall[1]];
    default:
      return [];
  }
};
