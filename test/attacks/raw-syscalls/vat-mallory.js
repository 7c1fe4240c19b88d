const data = { body: '#[]', slots: [] };
const huge = 2 ** 32 - 1;
const nothing = () => undefined;
const everything = new Proxy(function anything() {}, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => 7 : everything),
  apply: () => everything,
  getPrototypeOf() {
    throw everything;
  },
});

/** Each in an attempt of its own, so that all are made. */
const shapes = [
  undefined,
  null,
  NaN,
  -1,
  7n,
  {},
  [],
  [[]],
  new Array(huge),
  [new Array(huge)],
  { body: '#[]' },
  { body: 7, slots: [] },
  { body: '#[]', slots: new Array(huge) },
  { body: '#[]', slots: [7] },
  { body: '#\ud800', slots: [] },
  { body: '#[]', slots: new Proxy([], { get: nothing }) },
  { body: '#[]', slots: [], then: nothing },
  Symbol('s'),
  everything,
];

const names = [
  ...['send', 'subscribe', 'resolve', 'fulfillToData', 'fulfillToPresence', 'reject'],
  ...['callNow', 'dropImports', 'retireImports', 'retireExports', 'vatstoreGet'],
  ...['vatstoreGetNextKey'],
];

/** The syscalls that end her, by number. */
const ends = (syscall, bob, result) => [
  () => syscall.send(`o+${'9'.repeat(3000)}`, data),
  () => syscall.send('o+1', { body: '#[]', slots: [`o+${'8'.repeat(500)}`] }),
  () => syscall.send(bob, data, result) ?? syscall.resolve([[result, false, data]]),
  () => syscall.resolve([[result, false, data]]) ?? syscall.send(result, data),
  () =>
    syscall.resolve([
      [result, false, data],
      [result, false, data],
    ]),
  () => syscall.exit(false, data) ?? syscall.exit(true, data) ?? syscall.subscribe('p-9999'),
  () => syscall.vatstoreSet('', 'x'),
  () => syscall.vatstoreSet('a'.repeat(100_000), 'x'),
  () => syscall.vatstoreGet('\ud800'),
  () => syscall.dropImports([bob, bob]),
  () => syscall.dropImports([bob]) ?? syscall.send(bob, data),
  () => syscall.retireExports(['o+0']),
  () =>
    syscall.send(bob, {
      get body() {
        syscall.resolve([[result, false, data]]);
        return '#["m",[]]';
      },
      get slots() {
        syscall.subscribe(result);
        return [];
      },
    }),
  () => syscall.send('o+1', { body: ' '.repeat(2 ** 26 + 1), slots: [] }),
];

export default syscall => delivery => {
  if (delivery[0] !== 'message') return undefined;
  const [, , { methargs, result }] = delivery;
  const [, [number]] = JSON.parse(methargs.body.slice(1));
  const [bob] = methargs.slots;
  const end = ends(syscall, bob, result)[number];
  if (end !== undefined) return end();
  for (const name of names) {
    for (const first of shapes) {
      for (const second of [undefined, everything, new Array(huge)]) {
        try {
          syscall[name](first, second);
        } catch {
          // To be expected.
        }
      }
    }
  }
  syscall.resolve([[result, false, { body: '#"tried everything"', slots: [] }]]);
  return { then: nothing };
};
