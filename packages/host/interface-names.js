// Reads interface names from capdata: a slot may carry the name of its object's interface. Both
// notations are read, `"$0.Alleged: purse"` and `{"@qclass":"slot","iface":"Alleged: purse","index":0}`. A body comes from
// a vat, so it may be anything.

/** @import { CapData } from '#model' */

const smallcapsSlot = /^\$(\d+)\.(.+)$/s;

/**
 * @param {unknown} value
 * @param {(index: number, name: string) => void} tell
 */
const walk = (value, tell) => {
  if (typeof value === 'string') {
    const found = smallcapsSlot.exec(value);
    if (found) tell(Number(found[1]), found[2]);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { '@qclass': qclass, iface, index } = /** @type {Record<string, unknown>} */ (value);
  if (qclass === 'slot') {
    if (typeof iface === 'string' && typeof index === 'number') tell(index, iface);
    return;
  }
  for (const part of Object.values(value)) walk(part, tell);
};

/** Deeper nesting than a vat's own data ever has would exhaust the stack; then nothing is known. */
const mostText = 1_000_000;

/**
 * The names of interfaces that a body gives to its slots.
 *
 * @param {CapData} data
 * @param {(slot: string, name: string) => void} tell  without "Alleged: "
 */
export const readInterfaceNames = ({ body, slots }, tell) => {
  if (slots.length === 0 || body.length > mostText) return;
  const isSmallcaps = body.startsWith('#');
  try {
    walk(JSON.parse(isSmallcaps ? body.slice(1) : body), (index, name) => {
      if (index < slots.length) tell(slots[index], name.replace(/^Alleged: /, ''));
    });
  } catch {
    // No JSON, or nested too deeply: it names nothing.
  }
};
