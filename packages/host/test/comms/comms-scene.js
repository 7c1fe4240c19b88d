// A comms vat in the midst of things, for tests of forged strings. Import after lockdown.

import { makeLoneComms } from './comms-machines.js';

/** @import { Delivery, Syscall } from '#model' */

/** @type {(text: string) => Delivery} */
export const receive = text => [
  'message',
  'o+10',
  { body: `#${JSON.stringify(['receive', [text]])}`, slots: [] },
  'p-99',
];

/**
 * A comms vat in the midst of things with a remote `bot`:
 *
 *   o-50 transmitter, o-51 setReceiver, o-60 the object published as 0
 *   ro+0 that object; ro+20 o-61, which was sent to the remote; ro-5 (o+11) an object of the remote's
 *   rp+40 promise that the remote decides (result of a message to it)
 *   rp+41 promise that the kernel decides (sent to the remote)
 *   rp-70 promise that the remote gave and decides; rp-71 the result of a message of the remote's, with the kernel
 *   rp+42 promise that is settled, and the remote has not acknowledged that
 */
export const makeScene = () => {
  const { deliver, comms } = makeLoneComms();
  /** @type {(target: string, body: unknown, slots: string[], result: string | null) => Syscall[]} */
  const send = (target, body, slots, result) =>
    deliver(['message', target, { body: `#${JSON.stringify(body)}`, slots }, result]);
  send('o+0', ['addRemote', ['bot', '$0', '$1']], ['o-50', 'o-51'], 'p-60');
  send('o+0', ['addEgress', ['bot', 0, '$0']], ['o-60'], 'p-61');
  send('o+0', ['addIngress', ['bot', 5]], [], 'p-62');
  send('o+11', ['look', ['$0', '&1']], ['o-61', 'p-64'], 'p-63');
  send('o+11', ['see', ['&0']], ['p-65'], null);
  deliver(['notify', [['p-65', false, { body: '#1', slots: [] }]]]);
  deliver(receive('1:0:deliver:ro+0:rp-71:rp-70;#["note",["&0"]]'));
  return { deliver, comms, send };
};

/** @param {Syscall[]} syscalls */
export const refusalOf = syscalls => {
  const [syscall] = syscalls;
  if (syscalls.length !== 1 || syscall[0] !== 'resolve')
    return `no refusal: ${JSON.stringify(syscalls)}`;
  const [[vref, rejected, { body }]] = syscall[1];
  if (vref !== 'p-99' || !rejected) return `no refusal: ${JSON.stringify(syscalls)}`;
  return JSON.parse(body.slice(1))['#error'].replace('comms refused a string from "bot": ', '');
};

/** The steps after an attack, to see that all is as it would have been without. @param {ReturnType<typeof makeScene>} scene @param {number} [next]  number of the remote's next string */
export const continueScene = ({ deliver, send }, next = 2) => [
  deliver(receive(`${next}:4:deliver:ro+20:rp-72:ro+0:rp-70:ro-6;#["go",["$0","&1","$2"]]`)),
  deliver(receive(`${next + 1}:4:resolve:fulfill:rp-70;#"seventy"`)),
  deliver(receive(`${next + 2}:4:resolve:fulfill:rp+40:ro-7;#"$0"`)),
  deliver(['notify', [['p-64', true, { body: '#"no"', slots: [] }]]]),
  send('o+12', ['last', []], [], 'p-66'),
];

/** The strings that the scene has sent. */
const sent = 3;

/**
 * The steps after a string that was refused: as without it, but that it counts if it has the next number.
 *
 * @param {string} text
 * @param {ReturnType<typeof makeScene>} scene  that was given it
 */
export const afterRefusal = (text, scene) => {
  const numbers = /^2:(0|[1-9]\d{0,14}):/.exec(text);
  if (numbers === null)
    return { steps: continueScene(scene), expected: continueScene(makeScene()) };
  const ack = Number(numbers[1]);
  const other = makeScene();
  // It says nothing.
  other.deliver(receive(`2:${ack > sent ? 0 : ack}:gc:dropExport:ro+77`));
  return { steps: continueScene(scene, 3), expected: continueScene(other, 3) };
};

export const notGiven = (/** @type {string} */ ref) => `"${ref}" was never given to it`;
