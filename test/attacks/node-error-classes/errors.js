const sources = [
  () => new TextDecoder('no such encoding'),
  () => new TextDecoder('utf-8', 5),
  () => new TextDecoder().decode(5),
  () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])),
  () => TextDecoder.prototype.decode.call({}),
  () => Object.getOwnPropertyDescriptor(TextDecoder.prototype, 'encoding').get.call({}),
  () => TextEncoder.prototype.encode.call({}),
  () => new TextEncoder().encode(Symbol('x')),
  () => new TextEncoder().encodeInto(1, 2),
  () => new TextEncoder().encodeInto('x', new DataView(new ArrayBuffer(1))),
  () => TextEncoder(),
  () => new URL('nowhere'),
  () => new URLSearchParams([[1]]),
  () => URLSearchParams.prototype.get.call({}),
  () => 'x'.repeat(-1),
  () => new Uint8Array(-1),
  () => 'x'.localeCompare('y', 'no such locale'),
  () => (1).toLocaleString('no such locale'),
  () => 'x'.normalize('no such form'),
];

/** Every object on the way from an error: its prototypes, their constructors, what these have. */
export const listReachable = () => {
  const found = new Set();
  const visit = value => {
    if (Object(value) !== value || found.has(value)) return;
    found.add(value);
    visit(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key);
      for (const each of [inner, get, set]) visit(each);
    }
    try {
      visit(value.constructor);
    } catch {
      // Some getters refuse another receiver.
    }
  };
  for (const source of sources) {
    try {
      visit(source());
    } catch (error) {
      visit(error);
    }
  }
  return [...found];
};
