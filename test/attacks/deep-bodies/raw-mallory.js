const nests = [
  depth => '['.repeat(depth) + ']'.repeat(depth),
  depth => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  depth => `${'{"#tag":"a","payload":'.repeat(depth)}1${'}'.repeat(depth)}`,
  depth => `${'{"!#a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  depth => `${'[{"#error":"x","name":"Error","cause":'.repeat(depth)}1${'}]'.repeat(depth)}`,
];
const depths = [900, 1000, 1500, 2500, 4000, 5500, 7000, 9000, 12_000];

let next = 1;
export default syscall => delivery => {
  const [kind, , message] = delivery;
  if (kind !== 'message') return;
  const [target] = message.methargs.slots;
  for (const nest of nests) {
    for (const depth of depths) {
      syscall.send(target, { body: `#["take",[${nest(depth)}]]`, slots: [target] }, `p+${next}`);
      next += 1;
    }
  }
  // A promise's value is read as well, by whoever waits for it.
  const body = `#${nests[0](6000)}`;
  syscall.resolve([[message.result, false, { body, slots: [] }]]);
};
