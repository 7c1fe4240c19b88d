/** @param {string} promise @param {string} value */
const fulfil = (promise, value) => [promise, false, { body: '#"&0"', slots: [value] }];

export default syscall => {
  let asked;
  return ([kind, , message]) => {
    if (kind !== 'message') return;
    const { methargs, result } = message;
    const [method] = JSON.parse(methargs.body.slice(1));
    if (method === 'answer') {
      asked = result;
      return;
    }
    const [bob] = methargs.slots;
    const given = { given: 'p+101', 'first of a ring': 'p+102', 'second of a ring': 'p+103' };
    for (const [name, promise] of Object.entries(given))
      syscall.send(bob, { body: `#["take",["${name}","&0"]]`, slots: [promise] });
    syscall.resolve([fulfil('p+101', 'p+101')]);
    syscall.resolve([fulfil('p+102', 'p+103'), fulfil('p+103', 'p+102')]);
    syscall.resolve([fulfil(asked, asked)]);
    syscall.resolve([[result, false, { body: '#"done"', slots: [] }]]);
  };
};
