// Amounts: how much of what. An amount is `{ brand, value }`; its brand says of what, its value how much: a bigint
// (`nat`), or a list of records of which none is there twice (`set`). Amounts are data; holding one is holding nothing.

/** A record as a text that does not depend on the order of its fields. Objects in it count by the given names. */
const keyOf = (record, nameOf) =>
  Object.keys(record)
    .sort()
    .map(field => {
      const value = record[field];
      return `${field}=${typeof value === 'object' ? nameOf(value) : `${typeof value}:${value}`}`;
    })
    .join('&');

const nat = {
  empty: 0n,
  check(value) {
    if (typeof value !== 'bigint' || value < 0n)
      throw TypeError(`a value must be a bigint from 0, got ${String(value)}`);
    return value;
  },
  isGTE: (left, right) => left >= right,
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
};

/** Objects in the elements of sets are compared by identity, through numbers that are given out here. */
const makeSetKind = () => {
  const names = new WeakMap();
  let count = 0;
  const nameOf = object => {
    if (!names.has(object)) {
      count += 1;
      names.set(object, `object ${count}`);
    }
    return names.get(object);
  };
  const keysOf = list => list.map(element => keyOf(element, nameOf));
  return {
    empty: harden([]),
    check(value) {
      if (!Array.isArray(value)) throw TypeError('a value must be a list');
      if (new Set(keysOf(value)).size !== value.length)
        throw TypeError('a value must not have an element twice');
      return harden([...value]);
    },
    isGTE(left, right) {
      const has = new Set(keysOf(left));
      return keysOf(right).every(key => has.has(key));
    },
    add(left, right) {
      return this.check([...left, ...right]);
    },
    subtract(left, right) {
      const gone = new Set(keysOf(right));
      return harden(left.filter(element => !gone.has(keyOf(element, nameOf))));
    },
  };
};

/**
 * The arithmetic of one brand. Everything that comes from outside goes through `coerce` first.
 *
 * @param {object} brand
 * @param {'nat' | 'set'} kindName
 */
export const makeAmountMath = (brand, kindName) => {
  const kind = kindName === 'set' ? makeSetKind() : nat;
  const make = value => harden({ brand, value: kind.check(value) });
  const coerce = amount => {
    if (typeof amount !== 'object' || amount === null || amount.brand !== brand)
      throw TypeError('an amount is of another brand');
    return make(amount.value);
  };
  const isGTE = (left, right) => kind.isGTE(coerce(left).value, coerce(right).value);
  return harden({
    kind: kindName,
    make,
    coerce,
    empty: make(kind.empty),
    isEmpty: amount => isGTE(make(kind.empty), amount),
    isGTE,
    isEqual: (left, right) => isGTE(left, right) && isGTE(right, left),
    add: (left, right) => make(kind.add(coerce(left).value, coerce(right).value)),
    subtract(left, right) {
      if (!isGTE(left, right)) throw RangeError('less than nothing would be left');
      return make(kind.subtract(coerce(left).value, coerce(right).value));
    },
  });
};
harden(makeAmountMath);
