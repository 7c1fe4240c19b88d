// The largest array buffer that the engine allows depends on the memory of the machine. Mallory looks for the bound, in
// every way that allocates, and catches the refusal.
import { E, Far } from '@endo/far';

const allocators = [
  size => new ArrayBuffer(size),
  size => new Uint8Array(size),
  size => new Float64Array(size / 8),
  size => new ArrayBuffer(8, { maxByteLength: size }),
  size => new ArrayBuffer(8, { maxByteLength: 2 ** 33 }).resize?.(size),
  size => Reflect.construct(ArrayBuffer, [size], Array),
  size => new new Compartment().globalThis.ArrayBuffer(size),
  size => new (class extends Uint8Array {})(size),
  size => new ArrayBuffer({ valueOf: () => size }),
  size => new DataView(new ArrayBuffer(size)).byteLength,
  size => 'x'.repeat(size),
];

/** In GB. */
const sizes = [3, 9, 33];

const largest = allocate =>
  sizes.findLast(size => {
    try {
      allocate(size * 2 ** 30);
      return true;
    } catch {
      return false;
    }
  }) ?? 0;

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap(vats) {
      const found = allocators.map(largest);
      console.log(`sizes ${found}`);
      return E(vats.alice).tell(found);
    },
  });
