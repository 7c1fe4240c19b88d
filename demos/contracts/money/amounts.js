// Amounts: how much of what. An amount is `{ brand, value }`; its brand says of what, its value how much: a bigint
// (`nat`), or a list of records of which none is there twice (`set`). Amounts are data; holding one is holding nothing.

import { passStyleOf } from '@endo/far';

const nat = {
  empty: 0n,
  check(value) {
    if (typeof value !== 'bigint') throw TypeError(`a value must be a bigint, got ${typeof value}`);
    if (value < 0n) throw RangeError('a value must be 0 or more, got one below 0');
    return value;
  },
  isGTE: (left, right) => left >= right,
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
};

/** Whether an object is a record to look at, without a symbol or anything hidden. */
const isPlainRecord = value =>
  Object.getPrototypeOf(value) === Object.prototype &&
  Reflect.ownKeys(value).length === Object.keys(value).length;

/** Objects in the elements of sets are compared by identity, through numbers that are given out here. */
const makeSetKind = () => {
  const numbers = new WeakMap();
  let count = 0;
  const numberOf = object => {
    count += 1;
    numbers.set(object, count);
    return count;
  };

  /** Element → its text. Elements are hardened, so that it stays true. */
  const texts = new WeakMap();

  const styleOf = value => {
    if (Array.isArray(value)) return 'copyArray';
    return isPlainRecord(value) ? 'copyRecord' : passStyleOf(value);
  };

  const insistElement = value => {
    if (Object(value) !== value || numbers.has(value)) return;
    const style = styleOf(value);
    if (style === 'copyArray' || style === 'copyRecord')
      Object.values(value).forEach(insistElement);
    else if (style !== 'remotable') throw TypeError(`a set cannot hold a ${style}`);
  };

  /** A value as a text: equal for equal values, whatever the order of their fields, and for no others. */
  const textOf = value => {
    if (typeof value === 'string') return JSON.stringify(value);
    if (Object(value) !== value) return `${typeof value} ${String(value)}`;
    if (numbers.has(value)) return `object ${numbers.get(value)}`;
    const style = styleOf(value);
    if (style === 'remotable') return `object ${numberOf(value)}`;
    if (style === 'copyArray') return `[${value.map(textOf).join()}]`;
    const fields = Object.keys(value).sort();
    return `{${fields.map(field => `${JSON.stringify(field)}:${textOf(value[field])}`).join()}}`;
  };

  const textsOf = list =>
    list.map(element => {
      const text = texts.get(element) ?? textOf(element);
      if (Object(element) === element) texts.set(element, text);
      return text;
    });

  /** Lists that `check` has made: they are hardened, and have nothing twice. */
  const checked = new WeakSet();

  const check = value => {
    if (checked.has(value)) return value;
    if (!Array.isArray(value)) throw TypeError(`a value must be a list, got ${typeof value}`);
    const list = harden([...value]);
    list.forEach(insistElement);
    if (list.length > 1 && new Set(textsOf(list)).size !== list.length)
      throw TypeError('a value must not have an element twice');
    checked.add(list);
    return list;
  };

  /** Whether `part` is one element, and `whole` has the very same: there is no need of texts then. */
  const hasOnly = (whole, part) => part.length === 1 && whole.includes(part[0]);

  return {
    empty: check([]),
    check,
    isGTE(left, right) {
      if (right.length === 0 || hasOnly(left, right)) return true;
      const has = new Set(textsOf(left));
      return textsOf(right).every(text => has.has(text));
    },
    add(left, right) {
      if (left.length === 0) return right;
      return right.length === 0 ? left : check([...left, ...right]);
    },
    subtract(left, right) {
      if (hasOnly(left, right)) return check(left.filter(element => element !== right[0]));
      const gone = new Set(textsOf(right));
      return check(left.filter(element => !gone.has(textOf(element))));
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
  if (kindName !== 'nat' && kindName !== 'set')
    throw TypeError(`a brand's amounts are of kind "nat" or "set", got ${String(kindName)}`);
  const kind = kindName === 'set' ? makeSetKind() : nat;
  /** Frozen is enough where both parts are hardened. */
  const amountOf = value => Object.freeze({ brand, value });
  const valueOf = amount => {
    if (typeof amount !== 'object' || amount === null)
      throw TypeError(`an amount is a record of brand and value, got ${typeof amount}`);
    if (amount.brand !== brand) throw TypeError('an amount is of another brand');
    return kind.check(amount.value);
  };
  const isGTE = (left, right) => kind.isGTE(valueOf(left), valueOf(right));
  const isSame = (left, right) => kind.isGTE(left, right) && kind.isGTE(right, left);
  const sumOf = amounts => amounts.map(valueOf).reduce(kind.add, kind.empty);
  const empty = amountOf(kind.empty);
  return harden({
    kind: kindName,
    make: value => amountOf(kind.check(value)),
    coerce: amount => amountOf(valueOf(amount)),
    empty,
    isEmpty: amount => isGTE(empty, amount),
    isGTE,
    isEqual: (left, right) => isSame(valueOf(left), valueOf(right)),
    add: (left, right) => amountOf(kind.add(valueOf(left), valueOf(right))),
    sum: amounts => amountOf(sumOf(amounts)),
    /** Whether two lists of amounts have one sum. */
    isSameSum: (left, right) => isSame(sumOf(left), sumOf(right)),
    subtract(left, right) {
      const had = valueOf(left);
      const less = valueOf(right);
      if (!kind.isGTE(had, less)) throw RangeError('less than nothing would be left');
      return amountOf(kind.subtract(had, less));
    },
  });
};
harden(makeAmountMath);
