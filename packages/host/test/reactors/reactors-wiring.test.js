// The ports that a config joins: how they are named, and what is said of a connection that cannot be.

import test from 'ava';
import { makeMemoryStore, makeSimulation } from '#host';
import { refusal, run, runAll, write } from './run-reactors.js';

/** @import { ExecutionContext } from 'ava' */

const imports = `
  import { Reactor } from 'swingset-runner/reactor';
  import { Far } from '@endo/far';
`;

/** @param {string} fields  of the root reactor */
const vat = fields => `${imports}
  class Main extends Reactor { ${fields} }
  export const buildReactor = () => new Main();
`;

/** Writes to all its outputs as it starts. @param {string} outputs  fields; `outs` lists the channels */
const writer = outputs =>
  vat(`${outputs}
    r = this.reaction({ triggers: this.startup, effects: this.outs }, () => this.outs.forEach((out, i) => out.set(i)));`);

/** Prints what comes to all its inputs. @param {string} inputs  fields; `ins` lists the ports */
const reader = inputs =>
  vat(`${inputs}
    r = this.reaction({ triggers: this.ins }, () => console.log(this.ins.map(port => port.isPresent() ? port.get() : '-').join(' ')));`);

const pass = vat(`
  in = this.input();
  out = this.output();
  r = this.reaction({ triggers: this.in, effects: this.out }, () => this.out.set(this.in.get()));
`);

const vats = {
  source: vat('out = this.output(); wide = this.outputs(3); none = this.outputs(0);'),
  sink: vat('in = this.input(); wide = this.inputs(2);'),
  pass,
  boot: `${imports} export const buildRootObject = () => Far('root', { bootstrap() {} });`,
};

/** @param {ExecutionContext} t @param {object[]} connections */
const refused = (t, ...connections) => refusal(t, { vats, connections });

const toPass = { from: 'source.out', to: 'pass.in' };

/** @type {Record<string, [connections: object[], message: string]>} */
const mistakes = {
  'a port that is not there': [
    [{ from: 'source.out', to: 'sink.inn' }],
    'connections[0].to is "sink.inn", but vat "sink" has no input "inn"; its inputs are "in", "wide"; did you mean "in"?',
  ],
  'a port that is not there, near to none': [
    [{ from: 'source.out', to: 'sink.level' }],
    'connections[0].to is "sink.level", but vat "sink" has no input "level"; its inputs are "in", "wide"',
  ],
  'a port among others': [
    [toPass, { from: ['pass.out', 'source.uot'], to: 'sink.wide' }],
    'connections[1].from[1] is "source.uot", but vat "source" has no output "uot"; its outputs are "out", "wide", "none"; did you mean "out"?',
  ],
  'a port among those that are interleaved': [
    [{ from: { interleaved: ['source.out', 'source.wid'] }, to: 'sink.wide' }],
    'connections[0].from.interleaved[1] is "source.wid", but vat "source" has no output "wid"; its outputs are "out", "wide", "none"; did you mean "wide"?',
  ],
  'the same in a list': [
    [{ from: ['source.out', { interleaved: ['x.out'] }], to: 'sink.wide' }],
    'connections[0].from[1].interleaved[0] is "x.out", but there is no vat "x"; those with reactors are "source", "sink", "pass"',
  ],
  'a vat that is not there': [
    [{ from: 'source.out', to: 'snk.in' }],
    'connections[0].to is "snk.in", but there is no vat "snk"; those with reactors are "source", "sink", "pass"; did you mean "sink"?',
  ],
  'a vat without reactors': [
    [{ from: 'source.out', to: 'boot.in' }],
    'connections[0].to is "boot.in", but vat "boot" exports no buildReactor; those with reactors are "source", "sink", "pass"',
  ],
  'an input where an output belongs': [
    [{ from: 'sink.in', to: 'pass.in' }],
    'connections[0].from is "sink.in", an input of vat "sink" (it has no outputs); connections go from outputs to inputs of vats\' root reactors',
  ],
  'an output where an input belongs': [
    [{ from: 'source.out', to: 'pass.out' }],
    'connections[0].to is "pass.out", an output of vat "pass" (its inputs are "in"); connections go from outputs to inputs of vats\' root reactors',
  ],
  'a vat for a port': [
    [{ from: 'source', to: 'pass.in' }],
    'connections[0].from is "source", which is a vat; its outputs are "out", "wide", "none"; a port is like "vat.port", a channel of it like "vat.port[3]"',
  ],
  'a text that is no name': [
    [{ from: '.out', to: 'pass.in' }],
    'connections[0].from is ".out", which is no port; a port is like "vat.port", a channel of it like "vat.port[3]"',
  ],
  'a channel too far': [
    [{ from: 'source.wide[3]', to: 'pass.in' }],
    'connections[0].from is "source.wide[3]", but "source.wide" has 3 channels, [0] to [2]',
  ],
  'a channel of one': [
    [{ from: 'source.out[1]', to: 'pass.in' }],
    'connections[0].from is "source.out[1]", but "source.out" has 1 channel, [0]',
  ],
  'a channel of none': [
    [{ from: 'source.none[0]', to: 'pass.in' }],
    'connections[0].from is "source.none[0]", but "source.none" has 0 channels',
  ],
  'a channel that is no number': [
    [{ from: 'source.wide[-1]', to: 'pass.in' }],
    'connections[0].from is "source.wide[-1]", but vat "source" has no output "wide[-1]"; its outputs are "out", "wide", "none"; did you mean "wide"?',
  ],
  'two sources': [
    [
      { from: 'source.out', to: 'sink.in' },
      { from: 'source.wide', to: ['sink.wide', 'pass.in'] },
      { from: 'pass.out', to: 'sink.in' },
    ],
    'connections[2].to: sink.in has two sources, source.out (connections[0]) and pass.out; an input takes one, so merge them in a reactor or use a multiport',
  ],
  'two sources in one connection': [
    [{ from: 'source.wide', to: ['sink.wide', 'sink.wide[0]'] }],
    'connections[0].to: sink.wide[0] has two sources, source.wide[0] (connections[0]) and source.wide[2]; an input takes one, so merge them in a reactor or use a multiport',
  ],
  'widths that differ': [
    [{ from: 'source.out', to: ['sink.wide', 'pass.in'] }],
    'connections[0]: "from" has 1 channel, of "source.out" (1); "to" has 3 channels, of "sink.wide" (2), "pass.in" (1); make the widths equal, or set "repeat" to broadcast or "partial" to leave the rest unconnected',
  ],
  'nothing to repeat': [
    [{ from: 'source.none', to: 'pass.in', repeat: true }],
    'connections[0]: "from" has 0 channels, of "source.none" (0); "to" has 1 channel, of "pass.in" (1); there is nothing to repeat',
  ],
  'a cycle within a vat and a connection': [
    [{ from: 'pass.out', to: 'pass.in' }],
    'connections[0]: zero-delay cycle through vats: pass.in → pass.out → pass.in; break it with an "after" delay on a connection, or an action in a vat',
  ],
};

for (const [title, [connections, message]] of Object.entries(mistakes)) {
  test.serial(`the error for an invalid connection gives its place: ${title}`, async t => {
    t.is(await refused(t, ...connections), `swingset.json: ${message}`);
  });
}

test.serial(
  'a cycle without delay through three vats is named whole, with its connections; a delay breaks it',
  async t => {
    const three = { source: vats.source, a: pass, b: pass, c: pass, sink: vats.sink };
    const connections = [
      { from: 'source.out', to: 'sink.in' },
      { from: 'b.out', to: 'c.in' },
      { from: 'a.out', to: 'b.in' },
      { from: 'c.out', to: 'a.in' },
    ];
    t.is(
      await refusal(t, { vats: three, connections }),
      'swingset.json: connections[1], connections[2], connections[3]: zero-delay cycle through vats: a.in → a.out → b.in → b.out → c.in → c.out → a.in; break it with an "after" delay on a connection, or an action in a vat',
    );
    const broken = [...connections.slice(0, 3), { ...connections[3], after: 0 }];
    t.deepEqual((await run(write(t, { vats: three, connections: broken }))).audit, []);
  },
);

test.serial('a message about many ports names some of them', async t => {
  const ports = Array.from({ length: 12 }, (_, i) => `p${i} = this.output();`).join('');
  const many = { many: vat(ports), sink: vats.sink };
  t.is(
    await refusal(t, { vats: many, connections: [{ from: 'many.none', to: 'sink.in' }] }),
    'swingset.json: connections[0].from is "many.none", but vat "many" has no output "none"; its outputs are "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", … (12 in all)',
  );
  const from = ['many.p0', 'many.p1', 'many.p2', 'many.p3', 'many.p4', 'many.p5'];
  t.regex(
    await refusal(t, { vats: many, connections: [{ from, to: 'sink.in' }] }),
    /"from" has 6 channels, of "many\.p0" \(1\), .* "many\.p4" \(1\) …; "to" has 1 channel/,
  );
});

test.serial('names of vats and ports may have dots and brackets', async t => {
  const odd = {
    'a.b': writer("outs = [this.output(), this.output()]; 'x.y' = this.outs[0];"),
    'c[0]': reader('ins = [this.input(), this.input()];'),
  };
  const { printed } = await runAll(t, {
    vats: odd,
    connections: [
      { from: 'a.b.outs[0]', to: 'c[0].ins[1]' },
      { from: 'a.b.outs[1]', to: 'c[0].ins[0][0]' },
    ],
  });
  t.deepEqual(printed, ['c[0]: 1 0']);
});

test.serial('a port keeps its whole name, dots and all', async t => {
  const two = {
    one: writer(
      "'left.x' = this.output(); 'right.x' = this.output(); outs = [this['left.x'], this['right.x']];",
    ),
    other: reader("'a.x' = this.input(); 'b.x' = this.input(); ins = [this['a.x'], this['b.x']];"),
  };
  const program = {
    vats: two,
    connections: [{ from: ['one.left.x', 'one.right.x'], to: ['other.b.x', 'other.a.x'] }],
  };
  const { printed } = await runAll(t, program);
  t.deepEqual(printed, ['other: 1 0']);
  const simulation = await makeSimulation(write(t, program), { store: makeMemoryStore() });
  const { connections } = await simulation.outlines();
  await simulation.close();
  t.deepEqual(
    connections.map(({ from, to }) => [from.port, to.port]),
    [
      ['left.x', 'b.x'],
      ['right.x', 'a.x'],
    ],
  );
});

/** @type {Record<string, [Record<string, string>, from: string, message: string]>} */
const ambiguous = {
  'a dot': [
    { a: vat("'b.c' = this.output();"), 'a.b': vat('c = this.output();') },
    'a.b.c',
    'which may be port "b.c" of vat "a" or port "c" of vat "a.b"; give one of them another name',
  ],
  'a bracket': [
    { a: vat("'p[1]' = this.output(); p = this.outputs(2);") },
    'a.p[1]',
    'which may be port "p[1]" of vat "a" or channel 1 of port "p" of vat "a"; give one of them another name',
  ],
  'the name of a port in no field': [
    { a: vat('#p = this.output(); output0 = this.output();') },
    'a.output0',
    'and there are 2 of port "output0" of vat "a"; give each a field of its own, which names it',
  ],
};

for (const [title, [odd, from, message]] of Object.entries(ambiguous)) {
  test.serial(`a name that may mean two ports is refused: ${title}`, async t => {
    t.is(
      await refusal(t, {
        vats: { ...odd, sink: vats.sink },
        connections: [{ from, to: 'sink.in' }],
      }),
      `swingset.json: connections[0].from is ${JSON.stringify(from)}, ${message}`,
    );
  });
}

test.serial(
  'a state that was stopped before its reactors were joined is told by its own config',
  async t => {
    const config = write(t, { vats, connections: [{ from: 'source.out', to: 'snk.in' }] });
    const store = { ...makeMemoryStore(), close: async () => {} };
    const begun = await makeSimulation(config, { store });
    await begun.step();
    await begun.close();
    const resumed = await makeSimulation(undefined, { store, resume: true });
    await t.throwsAsync(resumed.run(), {
      name: 'UserError',
      message:
        /^the config that the state was made from: connections\[0\]\.to is "snk\.in", but there is no vat "snk"/,
    });
    await resumed.close();
  },
);

test.serial('a config with connections of reactors is refused if no vat has reactors', async t => {
  const { boot } = vats;
  t.is(
    await refusal(t, { vats: { boot }, timeout: '1 s' }),
    'swingset.json: reactors.timeout is set, but no vat of the config exports buildReactor; take it out',
  );
  t.is(
    await refusal(t, { vats: { boot }, connections: [toPass] }),
    'swingset.json: connections[0].from is "source.out", but there is no vat "source"; no vat of the config exports buildReactor',
  );
});

test.serial('under 2020-09 connections and a timeout are refused, not ignored', async t => {
  const { boot } = vats;
  for (const program of [{ connections: [toPass] }, { timeout: '1 s' }]) {
    const config = write(t, { vats: { boot }, ...program });
    await t.throwsAsync(makeSimulation(config, { store: makeMemoryStore(), profile: '2020-09' }), {
      name: 'UserError',
      message: `${config.configFile}: "connections" and "reactors" need --profile current, and this is 2020-09`,
    });
  }
});
