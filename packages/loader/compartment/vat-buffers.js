// `ArrayBuffer` and typed arrays for vats. The largest buffer that the engine gives depends on the machine, so there is
// a fixed bound, above which a buffer is refused with the same error everywhere. If the engine refuses a buffer below
// the bound, the crank is undone and the vat ends (../memory-refusal.js).
//
// Instances are the engine's, with prototypes of ours that give no access to the engine's classes. Objects that the
// engine makes itself (the buffer behind a typed array, the result of `toSorted`, an instance of a class whose
// `prototype` is not an object) get our prototype before a vat sees them. Methods that Node 20 lacks (`transfer`) are
// left out.

import { types } from 'node:util';

import { countBuffer } from '../buffer-bytes.js';
import { noteMemoryRefusal, isRefusalByEngine } from '../memory-refusal.js';
import { addPrototype } from './overridable.js';

/** Bound on the bytes of one buffer, which every machine can allocate. */
export const maxBufferBytes = 2 ** 28;

const typeNames = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
];

/** Methods of typed arrays that allocate no memory. */
const plainMethods =
  'entries keys values at copyWithin every fill find findIndex findLast findLastIndex forEach includes indexOf join lastIndexOf reverse reduce reduceRight set some sort toLocaleString toString'.split(
    ' ',
  );

/** Methods that make another array. */
const makingMethods = 'filter map slice subarray toReversed toSorted with'.split(' ');

const accessors = ['byteLength', 'byteOffset', 'length', Symbol.toStringTag];

const isObject = (/** @type {unknown} */ value) => Object(value) === value;

/** Convert a length to a number, as the language does. @param {any} value */
const toIndex = value => {
  const index = value === undefined ? 0 : Math.trunc(+value);
  return Number.isNaN(index) ? 0 : index;
};

/** @param {unknown} self */
const isOfBigInts = self => types.isBigInt64Array(self) || types.isBigUint64Array(self);

/**
 * Convert the arguments of `with`, the index first, as the language has it; the engine of Node 20 and 22 begins with the
 * value.
 *
 * @param {unknown} self
 * @param {any[]} args
 */
const convertWith = (self, [index, value]) => {
  if (!types.isTypedArray(self)) return [index, value];
  const at = toIndex(index);
  return [at, isOfBigInts(self) ? BigInt.asIntN(64, value) : +value];
};

/**
 * Convert the arguments of `fill` before the engine's method is called: if a conversion makes the buffer longer, Node 20
 * and 22 fill the new part too.
 *
 * @param {unknown} self  a typed array within its buffer
 * @param {number} length
 * @param {any[]} args
 */
const convertFill = (self, length, [value, start, end]) => {
  const filler = isOfBigInts(self) ? BigInt.asIntN(64, value) : +value;
  const place = (/** @type {unknown} */ given) => {
    const index = toIndex(given);
    return index < 0 ? Math.max(length + index, 0) : Math.min(index, length);
  };
  return [filler, place(start), end === undefined ? length : place(end)];
};

/** @param {number} bytes */
const checkSize = bytes => {
  if (bytes <= maxBufferBytes) return countBuffer(bytes);
  throw noteMemoryRefusal(RangeError('Array buffer allocation failed'));
};

/**
 * @template T
 * @param {() => T} make
 * @returns {T}
 */
const guard = make => {
  try {
    return make();
  } catch (error) {
    if (isRefusalByEngine(error)) noteMemoryRefusal(error, { isByEngine: true });
    throw error;
  }
};

/**
 * The descriptor of a property before lockdown let it be overridden by assignment.
 *
 * @param {object} object
 * @param {PropertyKey} key
 * @returns {PropertyDescriptor}
 */
const describe = (object, key) => {
  const descriptor = /** @type {PropertyDescriptor} */ (
    Reflect.getOwnPropertyDescriptor(object, key)
  );
  const { get } = descriptor;
  return get !== undefined && Object.hasOwn(get, 'originalValue')
    ? { value: /** @type {any} */ (get).originalValue }
    : descriptor;
};

/** @param {object} object @param {PropertyKey[]} keys @returns {PropertyDescriptorMap} */
const describeAll = (object, keys) =>
  Object.fromEntries(keys.map(key => [key, describe(object, key)]));

/** @param {any} object @param {PropertyKey} key @returns {(self: unknown) => any} */
const makeReader = (object, key) => {
  const { get } = describe(object, key);
  return self => Reflect.apply(/** @type {() => any} */ (get), self, []);
};

/** @param {string} name @param {number} length @param {(self: any, args: any[]) => unknown} body */
const makeMethod = (name, length, body) => {
  const { [name]: method } = {
    /** @this {any} @param {any[]} args */
    [name](...args) {
      return body(this, args);
    },
  };
  Object.defineProperty(method, 'length', { value: length });
  return method;
};

/** @param {Function} constructor @param {string} name @param {number} length @param {PropertyDescriptorMap} statics */
const nameClass = (constructor, name, length, statics) =>
  Object.defineProperties(constructor, {
    name: { value: name },
    length: { value: length },
    ...statics,
  });

const species = {
  get: Object.getOwnPropertyDescriptor(
    {
      get [Symbol.species]() {
        return this;
      },
    },
    Symbol.species,
  )?.get,
};

/** @param {Function | undefined} target @param {string} name */
const insistNew = (target, name) => {
  if (target === undefined) throw TypeError(`Constructor ${name} requires 'new'`);
};

const makeBufferClass = () => {
  const Native = globalThis.ArrayBuffer;
  const native = Native.prototype;
  const readMaximum = makeReader(native, 'maxByteLength');
  const readByteLength = makeReader(native, 'byteLength');

  /** @param {any} length @param {any} [options] */
  function VatArrayBuffer(length, options) {
    insistNew(new.target, 'ArrayBuffer');
    const bytes = toIndex(length);
    const given = isObject(options) ? options.maxByteLength : undefined;
    const maximum = given === undefined ? undefined : toIndex(given);
    if (bytes < 0) throw RangeError('Invalid array buffer length');
    if (maximum !== undefined && maximum < bytes)
      throw RangeError('Invalid array buffer max length');
    checkSize(maximum ?? bytes);
    const args = maximum === undefined ? [bytes] : [bytes, { maxByteLength: maximum }];
    return adopt(
      guard(() => Reflect.construct(Native, args, /** @type {Function} */ (new.target))),
    );
  }

  /** Replace the engine's prototype by ours. @template {object} T @param {T} made @returns {T} */
  const adopt = made => {
    if (Object.getPrototypeOf(made) === native)
      Object.setPrototypeOf(made, VatArrayBuffer.prototype);
    return made;
  };

  const { slice, resize } = describeAll(native, ['slice', 'resize']);
  nameClass(VatArrayBuffer, 'ArrayBuffer', 1, {
    isView: { value: Native.isView, enumerable: false },
    [Symbol.species]: species,
  });
  addPrototype(VatArrayBuffer, Object.prototype, {
    ...describeAll(native, ['byteLength', 'maxByteLength', 'resizable', Symbol.toStringTag]),
    slice: {
      value: makeMethod('slice', 2, (self, args) => {
        const made = guard(() => Reflect.apply(slice.value, self, args));
        countBuffer(readByteLength(made));
        return adopt(made);
      }),
    },
    resize: {
      value: makeMethod('resize', 1, (self, args) => {
        const length = toIndex(args[0]);
        if (length < 0 || length > readMaximum(self)) throw RangeError('Invalid length parameter');
        try {
          return Reflect.apply(resize.value, self, [length]);
        } catch (error) {
          if (isRefusalByEngine(error, { isAny: true }))
            noteMemoryRefusal(error, { isByEngine: true });
          throw error;
        }
      }),
    },
  });
  return { VatArrayBuffer, adoptBuffer: adopt };
};

/**
 * The elements of an iterable or array-like object.
 *
 * @param {any} source
 * @returns {{ list?: unknown[], length: number }}
 */
const readElements = source => {
  const iterate = source[Symbol.iterator];
  if (iterate === undefined || iterate === null)
    return { length: Math.max(0, toIndex(source.length)) };
  const list = [...{ [Symbol.iterator]: () => Reflect.apply(iterate, source, []) }];
  return { list, length: list.length };
};

/** @param {(buffer: object) => object} adoptBuffer */
const makeArrayClasses = adoptBuffer => {
  const NativeBase = Object.getPrototypeOf(globalThis.Uint8Array);
  const native = NativeBase.prototype;
  const readBuffer = makeReader(native, 'buffer');
  const readLength = makeReader(native, 'length');
  const readByteLength = makeReader(native, 'byteLength');

  function VatTypedArray() {
    throw TypeError('Abstract class TypedArray not directly constructable');
  }
  nameClass(VatTypedArray, 'TypedArray', 0, {
    ...describeAll(NativeBase, ['from', 'of']),
    [Symbol.species]: species,
  });

  /** The engine's prototype → ours. @type {Map<object, object>} */
  const prototypes = new Map();

  /** @template {object} T @param {T} made @returns {T} */
  const adopt = made => {
    const own = prototypes.get(Object.getPrototypeOf(made));
    if (own !== undefined) Object.setPrototypeOf(made, own);
    return made;
  };

  const getBuffer = {
    get buffer() {
      return adoptBuffer(readBuffer(this));
    },
  };
  const { value: nativeFill } = describe(native, 'fill');
  const fill = makeMethod('fill', nativeFill.length, (self, args) => {
    // This fails, before anything is converted, if it is no typed array within its buffer.
    Reflect.apply(nativeFill, self, [isOfBigInts(self) ? 0n : 0, 0, 0]);
    const converted = convertFill(self, readLength(self), args);
    return Reflect.apply(nativeFill, self, converted);
  });
  addPrototype(VatTypedArray, Object.prototype, {
    ...describeAll(native, [...plainMethods, ...accessors]),
    [Symbol.iterator]: describe(native, Symbol.iterator),
    fill: { value: fill },
    buffer: { get: Object.getOwnPropertyDescriptor(getBuffer, 'buffer')?.get },
    ...Object.fromEntries(
      makingMethods.map(name => {
        const { value: method } = describe(native, name);
        const value = makeMethod(name, method.length, (self, args) => {
          // `subarray` calls the species constructor, which may be the vat's and would see the engine's buffer.
          if (name === 'subarray') adoptBuffer(readBuffer(self));
          const given = name === 'with' ? convertWith(self, args) : args;
          const array = guard(() => Reflect.apply(method, self, given));
          if (name !== 'subarray') countBuffer(readByteLength(array));
          return adopt(array);
        });
        return [name, { value }];
      }),
    ),
  });

  /** @param {string} name */
  const makeClass = name => {
    const Native = /** @type {any} */ (globalThis)[name];
    const size = Native.BYTES_PER_ELEMENT;

    /** @param {any[]} args */
    function VatArray(...args) {
      const target = /** @type {Function} */ (new.target);
      insistNew(target, name);
      const [source] = args;
      /** @param {unknown[]} given */
      const make = given => adopt(guard(() => Reflect.construct(Native, given, target)));
      if (!isObject(source)) {
        const length = toIndex(source);
        if (length < 0) throw RangeError('Invalid typed array length');
        checkSize(length * size);
        return make([length]);
      }
      if (types.isAnyArrayBuffer(source)) return make(args);
      if (types.isTypedArray(source)) {
        checkSize(readLength(source) * size);
        return make([source]);
      }
      const { list, length } = readElements(source);
      checkSize(length * size);
      const made = make([list ?? length]);
      if (list === undefined) for (let i = 0; i < length; i += 1) made[i] = source[i];
      return made;
    }
    Object.setPrototypeOf(VatArray, VatTypedArray);
    const constant = { BYTES_PER_ELEMENT: { value: size } };
    nameClass(VatArray, name, 3, constant);
    addPrototype(VatArray, VatTypedArray.prototype, constant);
    prototypes.set(Native.prototype, VatArray.prototype);
    return VatArray;
  };
  return Object.fromEntries(typeNames.map(name => [name, makeClass(name)]));
};

/** @type {Record<string, any> | undefined} */
let made;

/**
 * Globals that all vats share; hardened with a vat's `globalThis`. The realm must be locked down, since SES changes the
 * engine's classes.
 *
 * @returns {Record<string, any>}
 */
export const provideBufferGlobals = () => {
  if (made === undefined) {
    const { VatArrayBuffer, adoptBuffer } = makeBufferClass();
    made = { ArrayBuffer: VatArrayBuffer, ...makeArrayClasses(adoptBuffer) };
  }
  return made;
};
