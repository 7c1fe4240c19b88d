// Random programs in Lingua Franca, for its C target.

import { timeoutNs, upTo } from './shape.js';

/** @import { NodeShape, ReactionShape, Shape, WireShape } from './shape.js' */

const preamble = `preamble {=
    #include <stdint.h>
    static uint32_t mix(uint32_t l, uint32_t r) { return ((l ^ r) * 0x9e3779b1u) ^ (l >> 15); }
  =}`;

/** @param {number} width */
const bracket = width => (width === 0 ? '' : `[${width}]`);

/**
 * C that mixes what is present into the state, and prints it. Timers are left out: one cannot ask whether they are present.
 *
 * @param {NodeShape} node
 * @param {ReactionShape} reaction
 */
const readings = (node, { reads, looks, actions }) => [
  ...[...reads, ...looks].flatMap(i => {
    const take = (
      /** @type {string} */ name,
      /** @type {string} */ from,
      /** @type {number} */ k,
    ) =>
      `if (${from}->is_present) { s = mix(s, mix(${from}->value, ${i * 10 + k})); printf(" ${name}=%u", ${from}->value); }`;
    return node.ins[i] === 0
      ? [take(`in${i}`, `in${i}`, 0)]
      : upTo(node.ins[i]).map(k => take(`in${i}[${k}]`, `in${i}[${k}]`, k));
  }),
  ...actions.map(
    i => `if (a${i}->is_present) { s = mix(s, a${i}->value); printf(" a${i}=%d", a${i}->value); }`,
  ),
];

/**
 * @param {NodeShape} node
 * @param {ReactionShape} reaction
 */
const deedsOf = (node, { deeds, enters }) =>
  deeds.map(({ modulus, rest, does, at, channel, delay }) => {
    const act = {
      set: `lf_set(out${at}${bracket(node.outs[at]).replace(/\d+/, String(channel))}, s + ${at});`,
      schedule: `lf_schedule_int(a${at}, ${delay}, (int)(s % 1000));`,
      enter: `lf_set_mode(M${enters?.mode});`,
      stop: 'lf_request_stop();',
    }[does];
    return `if (s % ${modulus} == ${rest}) { ${act} }`;
  });

/**
 * @param {string} name
 * @param {NodeShape} node
 * @param {number} at
 */
const reactionText = (name, node, at) => {
  const reaction = node.reactions[at];
  const { mode, reads, looks, timers, actions, builtIns, writes, schedules } = reaction;
  const { enters, deadline } = reaction;
  const triggers = [
    ...builtIns,
    ...reads.map(i => `in${i}`),
    ...timers.map(i => `t${i}`),
    ...actions.map(i => `a${i}`),
  ];
  const effects = [
    ...writes.map(i => `out${i}`),
    ...schedules.map(i => `a${i}`),
    ...(enters === null ? [] : [`${enters.kind}(M${enters.mode})`]),
  ];
  const cell = mode === null ? '0u' : `self->c${mode}`;
  const begin = (/** @type {string} */ what) => [
    'uint32_t s = self->s == 0 ? self->bank_index + 1 : self->s;',
    `printf("@ ${name}.%d ${what}${at} %lld.%u", self->bank_index, (long long)lf_time_logical_elapsed(), lf_tag().microstep);`,
  ];
  const end = ['self->s = s;', `printf(" %u %u\\n", s, ${cell});`];
  const body = [
    ...begin('r'),
    ...readings(node, reaction),
    `s = mix(s, ${at}u + ${cell});`,
    ...(mode === null ? [] : [`self->c${mode} += 1 + s % 7;`]),
    ...end,
    ...deedsOf(node, reaction),
  ];
  const late = [...begin('late'), `s = mix(s, ${at}u + 50u);`, ...end];
  return [
    `reaction(${triggers.join(', ')}) ${looks.map(i => `in${i}`).join(', ')}`,
    effects.length > 0 ? ` -> ${effects.join(', ')}` : '',
    ` {=\n      ${body.join('\n      ')}\n    =}`,
    deadline === null
      ? ''
      : ` deadline(${deadline === 'always' ? '0' : '10 hours'}) {=\n      ${late.join('\n      ')}\n    =}`,
  ].join('');
};

/**
 * @param {string} name
 * @param {NodeShape} node
 */
const nodeText = (name, node) => {
  /** @param {number | null} mode */
  const contents = mode => [
    ...(mode === null ? [] : [`reset state c${mode}: uint32_t = 1`]),
    ...node.timers.flatMap((timer, i) =>
      timer.mode === mode ? [`timer t${i}(${timer.offset} ns, ${timer.period} ns)`] : [],
    ),
    ...node.actions.flatMap(({ minDelay, spacing, policy, mode: own }, i) => {
      if (own !== mode) return [];
      const rest = spacing === null ? '' : `, ${spacing} ns, "${policy}"`;
      return [`logical action a${i}(${minDelay} ns${rest}): int`];
    }),
    ...node.reactions.flatMap((reaction, i) =>
      reaction.mode === mode ? [reactionText(name, node, i)] : [],
    ),
  ];
  return `reactor ${name}(bank_index: int = 0) {
  ${preamble}
  ${node.ins.map((width, i) => `input${bracket(width)} in${i}: uint32_t`).join('\n  ')}
  ${node.outs.map((width, i) => `output${bracket(width)} out${i}: uint32_t`).join('\n  ')}
  state s: uint32_t = 0
  ${contents(null).join('\n  ')}
  ${upTo(node.modes)
    .map(m => `${m === 0 ? 'initial ' : ''}mode M${m} {\n    ${contents(m).join('\n    ')}\n  }`)
    .join('\n  ')}
}
`;
};

/** @param {WireShape} wire */
const wireText = ({ from, out, to, in: input, after, repeat, inTurn }) => {
  const source = inTurn ? `interleaved(n${from}.out${out})` : `n${from}.out${out}`;
  const delay = after === null ? '' : ` after ${after} ns`;
  return `${repeat ? `(${source})+` : source} -> n${to}.in${input}${delay}`;
};

/**
 * @param {string} name  of the main reactor
 * @param {Shape[]} shapes  programs that run beside each other
 */
export const linguaFranca = (name, shapes) => `target C {
  single-threaded: true,
  fast: true,
  timeout: ${timeoutNs} ns,
  build-type: Debug,
  logging: warn
}
${shapes
  .flatMap(({ seed, nodes, wires }) => [
    ...nodes.map((node, i) => nodeText(`P${seed}n${i}`, node)),
    `reactor P${seed} {
  ${nodes.map(({ bank }, i) => `n${i} = new${bracket(bank)} P${seed}n${i}()`).join('\n  ')}
  ${wires.map(wireText).join('\n  ')}
}
`,
  ])
  .join('')}
main reactor ${name} {
  ${shapes.map(({ seed }) => `p${seed} = new P${seed}()`).join('\n  ')}
}
`;
