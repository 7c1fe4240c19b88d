const nest = (open, inside, close, depth) => open.repeat(depth) + inside + close.repeat(depth);

const bodies = [
  '',
  '#',
  '##',
  '#not json',
  'not json',
  '#7',
  '7',
  '#null',
  '#"take"',
  '#[]',
  '#["take"]',
  '#["take",5]',
  '#["take",{}]',
  '#["take",[],1]',
  '#[["take"],[]]',
  '#[{},[]]',
  '#["#undefined",[]]',
  '#["$0",[]]',
  '#["$0",["$0"]]',
  '#["&0",["&0"]]',
  '#["%@@asyncIterator",[]]',
  '#["%take",[]]',
  '#["!take",[]]',
  '#["__proto__",[]]',
  '#["constructor",["return process"]]',
  '#["toString",[]]',
  '#["then",["$0","$0"]]',
  `#["take",[${nest('[', '', ']', 5000)}]]`,
  `#["take",[${nest('[', '', ']', 200_000)}]]`,
  `#["take",[${nest('{"a":', '1', '}', 20_000)}]]`,
  `#["take",[${nest('{"#tag":"a","payload":', '1', '}', 20_000)}]]`,
  nest('#["take",', '[]', ']', 3000),
  nest('#', '["take",[]]', '', 3000),
  '#["take",[{"__proto__":{"a":1},"constructor":2,"toString":3}]]',
  '#["take",[{"then":"$0"}]]',
  '#["take",["$5","&7","$-1","$1e3","$0x1","$00","$0.","$0.Alleged: x","$","&"]]',
  '#["take",["$0.Alleged: mallory","$0.Alleged: alice"]]',
  '#["take",["$9007199254740993","$4294967296"]]',
  `#["take",["+${'9'.repeat(200_000)}"]]`,
  '#["take",["+","-","+-1","+1n","-0","+0x10","+ 1"]]',
  `#["take",[${Array(20_000).fill('"$0"').join()}]]`,
  '#["take",["\\ud800","\\u0000"]]',
  `#["${'a'.repeat(1_000_000)}",[]]`,
  '#["take",[{"#error":"x","name":"__proto__","errorId":{"a":1}}]]',
  '#["take",[{"#error":{"a":1},"name":5}]]',
  '#["take",[{"#error":"x","name":"Symbol"}]]',
  '#["take",[{"#error":"x","name":"TypeError","cause":{"#error":"y"},"errors":[1]}]]',
  '#["take",[{"#unknown":1}]]',
  '#["take",[{"#tag":5,"payload":1}]]',
  '#["take",["#NaN","#Infinity","#-Infinity","#-0","#x"]]',
  '#["take",["*!x","(y",")z","*0"]]',
  '[{"@qclass":"slot","index":0}]',
  '{"method":{"@qclass":"undefined"},"args":[]}',
  '{"method":"take","args":[{"@qclass":"slot","index":99}]}',
  '{"method":"take","args":[{"@qclass":"hilbert","original":{"@qclass":"hilbert","original":1}}]}',
  '{"method":"take","args":[{"@qclass":"bigint","digits":"zz"}]}',
  '{"method":"take","args":[{"@qclass":"ibid","index":0}]}',
  '{"method":"take","args":[{"@qclass":"error","name":"__proto__","message":{}}]}',
  '{"method":"take","args":[{"@qclass":{"@qclass":"slot"}}]}',
  '["take",[]]',
  '{"args":[]}',
  '{"method":"take"}',
];

const isOld = methargs => methargs === undefined;

export default syscall => delivery => {
  const [kind, , message] = delivery;
  if (kind !== 'message' || isOld(message.methargs)) return;
  const { methargs, result } = message;
  const [method, [number]] = JSON.parse(methargs.body.slice(1));
  if (method === 'count') {
    const body = `#${bodies.length}`;
    if (result) syscall.resolve([[result, false, { body, slots: [] }]]);
    return;
  }
  const [target] = methargs.slots;
  // With and without slots: what is not said in a body may be a slot all the same.
  syscall.send(
    target,
    { body: bodies[number], slots: [target] },
    'p+1000' + number + target.replace(/\D/g, ''),
  );
  syscall.send(target, { body: bodies[number], slots: [] });
};
