const bodies = {
  garbage: () => '#not json',
  number: () => '#7',
  deep: () => `#["take",[${'['.repeat(3000)}${']'.repeat(3000)}]]`,
  proto: () => '#["take",[{"__proto__":{"a":1},"constructor":2,"toString":3}]]',
  slots: () => '#["take",["$5","&7","$-1","$1e3","$0x1"]]',
  bigint: () => `#["take",["+${'9'.repeat(100_000)}"]]`,
  'many slots': () => `#["take",[${new Array(5_000).fill('"$0"').join()}]]`,
  surrogate: () => '#["take",["\\ud800"]]',
  tags: () => `#["take",[${'{"#tag":"a","payload":'.repeat(1000)}1${'}'.repeat(1000)}]]`,
  'long name': () => `#["${'a'.repeat(100_000)}",[]]`,
  symbol: () => '#["%@@asyncIterator",[]]',
  error: () => '#["take",[{"#error":"x","name":"__proto__","errorId":{"a":1}}]]',
  then: () => '#["take",[{"then":"$0"}]]',
  control: () => '["\u0001",[]]',
  unfinished: () => '#["take',
};

export default syscall => {
  let next = 1;
  return delivery => {
    if (delivery[0] !== 'message') return;
    const [, , { methargs }] = delivery;
    const [method, [mode]] = JSON.parse(methargs.body.slice(1));
    const [slot] = methargs.slots;
    const body = bodies[mode]();
    if (method === 'attack') {
      syscall.send(slot, { body, slots: [slot] }, `p+${next}`);
      syscall.send(slot, { body, slots: [slot] });
    } else {
      syscall.send(`p+${next}`, { body, slots: [slot] }, `p+${next + 1}`);
    }
    next += 2;
    if (method === 'attack') return;
    // A promise of her own, that she names first where the message goes.
    syscall.resolve([[`p+${next - 2}`, false, { body, slots: [slot] }]]);
  };
};
