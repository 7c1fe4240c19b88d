// After BankToBank, BankToBankMultiport, BankToBankMultiportAfter, BankToMultiport, MultiportToBank,
// MultiportToBankAfter, MultiportToBankDouble, MultiportToBankHierarchy, MultiportFromBank, MultiportFromBankHierarchy,
// MultiportFromBankHierarchyAfter, BankIndexInitializer, BankInitialization, MultiBank_UnconnectedOutput_Test,
// FullyConnected of Lingua Franca.

import { Part, program, reactorBuilder } from '../../program.js';
import { PrintAll } from '../parts.js';
import { PrintBank, SourceBank, Wide } from '../multiport/parts.js';

const four = ['0 0', '1 1', '2 2', '3 3'];

export const bankToBank = program({
  name: 'BankToBank',
  rule: 'member to member, in order',
  parts: { a: SourceBank, b: PrintBank },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { b: four.map(text => `0.0 ${text}`) },
});

class WideBank extends Part {
  out = this.outputs(6);
  members = this.bank(2, Wide, { width: 3, ...this.params });
  wire = this.connect(this.members.port('out'), this.out);
}

class IndexedPrintAll extends Part {
  in = this.inputs(2);
  r = this.reaction({ triggers: this.in }, () => this.note(this.getBankIndex(), this.in.values()));
}

class WidePrintBank extends Part {
  in = this.inputs(6);
  members = this.bank(3, IndexedPrintAll);
  wire = this.connect(this.in, this.members.port('in'));
}

/** @type {(name: string, after: number | undefined, times: number[]) => any} */
const toBankMultiport = (name, after, times) =>
  program({
    name,
    rule: 'two times three channels to three times two',
    parts: { a: [WideBank, { period: 200 }], b: WidePrintBank },
    unordered: true,
    connections: [{ from: ['a.out'], to: ['b.in'], ...(after && { after }) }],
    options: { timeout: 200 },
    trace: { b: times.flatMap(at => [`${at}.0 0 0 1`, `${at}.0 1 2 0`, `${at}.0 2 1 2`]) },
  });

export const bankToBankMultiport = toBankMultiport('BankToBankMultiport', undefined, [0, 200]);
export const bankToBankMultiportAfter = toBankMultiport('BankToBankMultiportAfter', 200, [200]);

export const bankToMultiport = program({
  name: 'BankToMultiport',
  rule: 'a member is a channel',
  parts: { a: [SourceBank, { width: 5 }], b: [PrintAll, { width: 5 }] },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { b: ['0.0 0=0 1=1 2=2 3=3 4=4'] },
});

export const multiportToBank = program({
  name: 'MultiportToBank',
  rule: 'a channel goes to a member',
  parts: { a: Wide, b: PrintBank },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { b: four.map(text => `0.0 ${text}`) },
});

export const multiportToBankAfter = program({
  name: 'MultiportToBankAfter',
  rule: 'a channel goes to a member, later',
  unordered: true,
  parts: { a: Wide, b: PrintBank },
  connections: [{ from: ['a.out'], to: ['b.in'], after: 1000 }],
  trace: { b: four.map(text => `1000.0 ${text}`) },
});

class WritesTwice extends Part {
  out = this.outputs(3);
  r1 = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    for (let i = 0; i < 3; i += 1) this.out.set(i, i);
  });
  r2 = this.reaction({ triggers: this.startup, effects: this.out }, () => {
    for (let i = 0; i < 3; i += 1) this.out.set(i, i * 2);
  });
}

export const multiportToBankDouble = program({
  name: 'MultiportToBankDouble',
  rule: 'of two writes at a tag the later one arrives, once',
  parts: { a: WritesTwice, b: [PrintBank, { width: 3 }] },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { b: ['0.0 0 0', '0.0 1 2', '0.0 2 4'] },
});

class Shell extends Part {
  in = this.inputs(3);
  inner = new PrintBank(this, { width: 3 });
  wire = this.connect(this.in, this.inner.in);
}

export const multiportToBankHierarchy = program({
  name: 'MultiportToBankHierarchy',
  rule: 'a bank within containers',
  parts: { a: [Wide, { width: 3 }], b: Shell },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { b: ['0.0 0 0', '0.0 1 1', '0.0 2 2'] },
});

/** @type {(name: string, after: number | undefined, at: string) => any} */
const fromBank = (name, after, at) =>
  program({
    name,
    rule: 'a bank within a container leads out by one multiport',
    parts: { a: SourceBank, b: PrintAll },
    connections: [{ from: ['a.out'], to: ['b.in'], ...(after && { after }) }],
    trace: { b: [`${at} 0=0 1=1 2=2 3=3`] },
  });

export const multiportFromBank = fromBank('MultiportFromBank', undefined, '0.0');
export const multiportFromBankHierarchyAfter = fromBank(
  'MultiportFromBankHierarchyAfter',
  1000,
  '1000.0',
);

class SourceShell extends Part {
  out = this.outputs(4);
  inner = new SourceBank(this);
  wire = this.connect(this.inner.out, this.out);
}

export const multiportFromBankHierarchy = program({
  name: 'MultiportFromBankHierarchy',
  rule: 'and through two containers',
  parts: { a: SourceShell, b: PrintAll },
  connections: [{ from: ['a.out'], to: ['b.in'] }],
  trace: { b: ['0.0 0=0 1=1 2=2 3=3'] },
});

class FromTable extends Part {
  out = this.output();
  value = this.params.table[this.getBankIndex()];
  r = this.reaction({ triggers: this.startup, effects: this.out }, () => this.out.set(this.value));
}

class TableBank extends Part {
  out = this.outputs(4);
  members = this.bank(4, FromTable, { table: [4, 3, 2, 1] });
  wire = this.connect(this.members.port('out'), this.out);
}

export const bankIndexInitializer = program({
  name: 'BankIndexInitializer',
  rule: 'the place in a bank chooses a parameter',
  parts: { source: TableBank, sink: PrintAll },
  connections: [{ from: ['source.out'], to: ['sink.in'] }],
  trace: { sink: ['0.0 0=4 1=3 2=2 3=1'] },
});

class Echo extends Part {
  request = this.input();
  response = this.output();
  unconnected = this.output();
  r = this.reaction({ triggers: this.request, effects: this.response }, () =>
    this.response.set(this.request.get()),
  );
}

class EchoBank extends Part {
  request = this.inputs(2);
  response = this.outputs(2);
  members = this.bank(2, Echo);
  wires = this.connect(
    [this.request, this.members.port('response')],
    [this.members.port('request'), this.response],
  );
}

class TestEcho extends Part {
  req = this.outputs(2);
  resp = this.inputs(2);
  go = this.reaction({ triggers: this.startup, effects: this.req }, () => {
    for (let i = 0; i < 2; i += 1) this.req.set(i, 42 + i);
  });
  got = this.reaction({ triggers: this.resp }, () => this.note(this.resp.values()));
}

export const multiBankUnconnectedOutput = program({
  name: 'MultiBank_UnconnectedOutput_Test',
  rule: 'an output of a bank that is not connected does not matter',
  parts: { test: TestEcho, e: EchoBank },
  connections: [{ from: ['test.req', 'e.response'], to: ['e.request', 'test.resp'] }],
  trace: { test: ['0.0 42 43'] },
});

export const buildReactor = reactorBuilder(
  bankToBank,
  bankToBankMultiport,
  bankToBankMultiportAfter,
  bankToMultiport,
  multiportToBank,
  multiportToBankAfter,
  multiportToBankDouble,
  multiportToBankHierarchy,
  multiportFromBank,
  multiportFromBankHierarchyAfter,
  multiportFromBankHierarchy,
  bankIndexInitializer,
  multiBankUnconnectedOutput,
);
