// Parses and formats the strings that two comms vats exchange. The grammar is in the README. Only the form is checked
// here; check-string.js checks the references.

import { quote } from '#model';
import { Refusal } from './refusal.js';

/** @import { CapData, Resolution } from '#model' */

/**
 * A message to an object or a promise, settled promises, or objects that the writer no longer has. References are in the
 * strings' notation.
 *
 * @typedef {{ kind: 'deliver', target: string, result: string | null, methargs: CapData }
 *   | { kind: 'resolve', resolutions: Resolution[] }
 *   | { kind: 'gc', actions: [action: CollectAction, object: string][] }} Command
 */

/** The reader drops or retires its own object at the writer, or the writer has retired its own. @typedef {'dropExport' | 'retireExport' | 'retireImport'} CollectAction */

/**
 * @typedef {object} Envelope
 * @property {number} seq  number of this string among the sender's, from 1
 * @property {number} ack  how many of the receiver's strings the sender has taken
 * @property {Command} command
 */

// A number of fifteen digits is always a safe integer.
const refPattern = /^r[op][+-](?:0|[1-9]\d{0,14})$/;
const numberPattern = /^(?:0|[1-9]\d{0,14})$/;

/** @param {string} text */
const isRemoteRef = text => refPattern.test(text);

/** @param {string} ref  a reference of a string */
export const isPromiseRef = ref => ref.charCodeAt(1) === 112;

/**
 * Whether the reader of the string numbered the reference (`+`); otherwise the writer did (`-`).
 *
 * @param {string} ref
 */
export const isReadersRef = ref => ref[2] === '+';

/**
 * The other side's notation of a reference.
 *
 * @param {string} ref
 */
export const flipRef = ref => `${ref.slice(0, 2)}${ref[2] === '+' ? '-' : '+'}${ref.slice(3)}`;

/**
 * @param {'object' | 'promise'} type
 * @param {number} number
 * @param {boolean} readers
 */
export const formatRef = (type, number, readers) =>
  `r${type === 'object' ? 'o' : 'p'}${readers ? '+' : '-'}${number}`;

/**
 * @param {string} text
 * @param {string} what
 */
const insistRef = (text, what) => {
  if (!isRemoteRef(text)) {
    throw new Refusal(`${what} ${quote(text)} is no reference; one is like "ro+20" or "rp-40"`);
  }
  return text;
};

/**
 * @param {string} text
 * @param {string} what
 */
const insistPromiseRef = (text, what) => {
  if (!isPromiseRef(insistRef(text, what))) {
    throw new Refusal(`${what} ${quote(text)} is no promise; one is like "rp+40"`);
  }
  return text;
};

/**
 * @param {string} text
 * @param {string} what
 */
const parseNumber = (text, what) => {
  if (!numberPattern.test(text)) throw new Refusal(`${what} ${quote(text)} is no whole number`);
  return Number(text);
};

/**
 * Split a command into the fields before the first semicolon and the body after it.
 *
 * @param {string} text
 * @param {string} command
 */
const splitBody = (text, command) => {
  const end = text.indexOf(';');
  if (end < 0) throw new Refusal(`a ${command} has no ";" before its body`);
  return { fields: text.slice(0, end).split(':'), body: text.slice(end + 1) };
};

/** @param {string[]} slots */
const insistSlots = slots => slots.map(slot => insistRef(slot, 'the slot'));

/**
 * @param {string} text
 * @returns {Command}
 */
const parseDeliver = text => {
  const { fields, body } = splitBody(text, 'deliver');
  if (fields.length < 3) {
    throw new Refusal(
      `a deliver has ${fields.length} fields; it begins with "deliver:TARGET:RESULT", where RESULT may be empty`,
    );
  }
  const [, target, result, ...slots] = fields;
  return {
    kind: 'deliver',
    target: insistRef(target, 'the target'),
    result: result === '' ? null : insistPromiseRef(result, 'the result'),
    methargs: { body, slots: insistSlots(slots) },
  };
};

/**
 * @param {string} line
 * @returns {Resolution}
 */
const parseResolution = line => {
  const { fields, body } = splitBody(line, 'resolve');
  const [command, how, promise = '', ...slots] = fields;
  if (command !== 'resolve' || (how !== 'fulfill' && how !== 'reject')) {
    throw new Refusal(
      `a line of a resolve begins with ${quote(fields.slice(0, 2).join(':').slice(0, 40))}; it begins with "resolve:fulfill:" or "resolve:reject:"`,
    );
  }
  return [
    insistPromiseRef(promise, 'what is settled,'),
    how === 'reject',
    { body, slots: insistSlots(slots) },
  ];
};

/** @type {readonly CollectAction[]} */
const collectActions = ['dropExport', 'retireExport', 'retireImport'];

/** @param {string} text @returns {text is CollectAction} */
const isCollectAction = text => collectActions.some(action => action === text);

/**
 * @param {string} line
 * @returns {[action: CollectAction, object: string]}
 */
const parseCollected = line => {
  const [command, action = '', ref = '', ...more] = line.split(':');
  if (command !== 'gc' || !isCollectAction(action) || more.length > 0)
    throw new Refusal(
      `a line of a gc is ${quote(line.slice(0, 40))}; it is "gc:ACTION:OBJECT", and ACTION one of ${collectActions.join(', ')}`,
    );
  if (isPromiseRef(insistRef(ref, 'what is collected,')))
    throw new Refusal(`what is collected, ${quote(ref)} is no object; one is like "ro+20"`);
  return [action, ref];
};

/**
 * Parse the numbers at the beginning of a string.
 *
 * @param {string} text
 * @returns {Pick<Envelope, 'seq' | 'ack'> & { rest: string }} and its command, as text
 * @throws {Refusal}
 */
export const parseNumbers = text => {
  const seqEnd = text.indexOf(':');
  const ackEnd = text.indexOf(':', seqEnd + 1);
  if (seqEnd < 0 || ackEnd < 0) throw new Refusal('it does not begin with "SEQUENCE:ACK:"');
  const seq = parseNumber(text.slice(0, seqEnd), 'its sequence number');
  const ack = parseNumber(text.slice(seqEnd + 1, ackEnd), 'its acknowledgement');
  return { seq, ack, rest: text.slice(ackEnd + 1) };
};

/**
 * Parse the command of a string.
 *
 * @param {string} rest
 * @returns {Command}
 * @throws {Refusal}
 */
export const parseCommand = rest => {
  // A lone surrogate would not survive the store.
  if (!rest.isWellFormed()) throw new Refusal('it is not well-formed Unicode');
  const name = rest.slice(0, Math.max(rest.indexOf(':'), 0));
  if (name === 'deliver') return parseDeliver(rest);
  if (name === 'resolve')
    return { kind: 'resolve', resolutions: rest.split('\n').map(parseResolution) };
  if (name === 'gc') return { kind: 'gc', actions: rest.split('\n').map(parseCollected) };
  throw new Refusal(
    `its command is ${quote(name.slice(0, 40))}; there are "deliver", "resolve" and "gc"`,
  );
};

/**
 * Parse a string of another comms vat.
 *
 * @param {string} text
 * @returns {Envelope}
 * @throws {Refusal}
 */
export const parseString = text => {
  const { seq, ack, rest } = parseNumbers(text);
  return { seq, ack, command: parseCommand(rest) };
};

/**
 * A body without line breaks, which JSON allows between its tokens only.
 *
 * @param {string} body
 */
const onOneLine = body => (body.includes('\n') ? body.replaceAll('\n', ' ') : body);

/** @param {Command} command */
const formatCommand = command => {
  if (command.kind === 'deliver') {
    const { target, result, methargs } = command;
    const fields = ['deliver', target, result ?? '', ...methargs.slots];
    return `${fields.join(':')};${methargs.body}`;
  }
  if (command.kind === 'gc')
    return command.actions.map(([action, object]) => `gc:${action}:${object}`).join('\n');
  return command.resolutions
    .map(([promise, rejected, { body, slots }]) => {
      const fields = ['resolve', rejected ? 'reject' : 'fulfill', promise, ...slots];
      return `${fields.join(':')};${onOneLine(body)}`;
    })
    .join('\n');
};

/**
 * The inverse of `parseString`, but for line breaks in the bodies of settled promises.
 *
 * @param {Envelope} envelope
 */
export const formatString = ({ seq, ack, command }) => `${seq}:${ack}:${formatCommand(command)}`;
