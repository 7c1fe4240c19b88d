// Reads the names of interfaces from capdata, in which a slot may have one. Both notations are read, `"$0.Alleged:
// purse"` and `{"@qclass":"slot","iface":"Alleged: purse","index":0}`. A body comes from a vat, so it may be any
// string.

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

/** Bound on the characters of a body that is parsed. */
const mostText = 1_000_000;

/**
 * Report the interface names of a body's slots.
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
    // Not JSON, or nested too deeply: there are no names.
  }
};
