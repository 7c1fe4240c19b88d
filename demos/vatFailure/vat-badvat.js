// A raw vat: it speaks to the kernel itself, and can name things that it was never given.

/** As good as any other: the kernel has not given it to this vat. */
const madeUp = 'o-3414159';

export default function setup(syscall) {
  return {
    deliver(_target, method, args) {
      const target = method === 'begood' ? args.slots[0] : madeUp;
      syscall.send(target, 'pretendToBeAThing', { body: JSON.stringify([method]), slots: [] });
    },
  };
}
