// Random programs in Lingua Franca, for its C target.

import { mainPlace, timeoutNs, upTo } from './shape.js';

/** @import { ClassShape, ReactionShape, Shape, Source, WireShape } from './shape.js' */

const preamble = `preamble {=
    #include <stdint.h>
    static uint32_t mix(uint32_t l, uint32_t r) { return ((l ^ r) * 0x9e3779b1u) ^ (l >> 15); }
  =}`;

/** Its place in its container, then those of the containers around it: `w` tells instances of a class apart. */
const parameters =
  'bank_index: int = 0, w: int = 0, i1: int = 0, w1: int = 0, i2: int = 0, w2: int = 0, i3: int = 0, w3: int = 0, q: int = 0, d: time = 1 ns';
const place =
  'self->w, self->bank_index, self->w1, self->i1, self->w2, self->i2, self->w3, self->i3';

/** @param {number} width */
const bracket = width => (width === 0 ? '' : `[${width}]`);

/**
 * C that mixes what is present into the state, and prints it. Timers are left out: one cannot ask whether they are present.
 *
 * @param {ClassShape} type
 * @param {ReactionShape} reaction
 */
const readings = (type, { reads, looks, overhears, actions }) => {
  const take = (/** @type {string} */ name, /** @type {string} */ from, /** @type {number} */ k) =>
    `if (${from}->is_present) { s = mix(s, mix(${from}->value, ${k})); printf(" ${name}=%u", ${from}->value); }`;
  return [
    ...[...reads, ...looks].flatMap(i =>
      type.ins[i] === 0
        ? [take(`in${i}`, `in${i}`, i * 10)]
        : upTo(type.ins[i]).map(k => take(`in${i}[${k}]`, `in${i}[${k}]`, i * 10 + k)),
    ),
    ...overhears.map(({ child, out }) =>
      take(`n${child}.out${out}`, `n${child}.out${out}`, 100 + child * 10 + out),
    ),
    ...actions.map(
      i =>
        `if (a${i}->is_present) { s = mix(s, a${i}->value); printf(" a${i}=%d", a${i}->value); }`,
    ),
  ];
};

/**
 * @param {ClassShape} type
 * @param {ReactionShape} reaction
 */
const deedsOf = (type, { deeds, enters }) =>
  deeds.map(({ modulus, rest, does, at, channel, delay }) => {
    const act = {
      set: `lf_set(out${at}${bracket(type.outs[at]).replace(/\d+/, String(channel))}, s + ${at});`,
      schedule: `lf_schedule_int(a${at}, ${delay}, (int)(s % 1000));`,
      enter: `lf_set_mode(M${enters?.mode});`,
      stop: 'lf_request_stop();',
    }[does];
    return `if (s % ${modulus} == ${rest}) { ${act} }`;
  });

/**
 * @param {string} name
 * @param {ClassShape} type
 * @param {number} at
 */
const reactionText = (name, type, at) => {
  const reaction = type.reactions[at];
  const { mode, reads, looks, overhears, timers, actions, builtIns, writes, schedules } = reaction;
  const { enters, deadline } = reaction;
  const heard = (/** @type {boolean} */ isTrigger) =>
    overhears
      .filter(({ triggers }) => triggers === isTrigger)
      .map(({ child, out }) => `n${child}.out${out}`);
  const triggers = [
    ...builtIns,
    ...reads.map(i => `in${i}`),
    ...heard(true),
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
    'uint32_t s = self->s == 0 ? self->bank_index + self->q + 1 : self->s;',
    `printf("@ ${name}.%d.%d.%d.%d.%d.%d.%d.%d ${what}${at} %lld.%u", ${place}, (long long)lf_time_logical_elapsed(), lf_tag().microstep);`,
  ];
  const end = ['self->s = s;', `printf(" %u %u\\n", s, ${cell});`];
  const body = [
    ...begin('r'),
    ...readings(type, reaction),
    `s = mix(s, ${at}u + ${cell});`,
    ...(mode === null ? [] : [`self->c${mode} += 1 + s % 7;`]),
    ...end,
    ...deedsOf(type, reaction),
  ];
  const late = [...begin('late'), `s = mix(s, ${at}u + 50u);`, ...end];
  return [
    `reaction(${triggers.join(', ')}) ${[...looks.map(i => `in${i}`), ...heard(false)].join(', ')}`,
    effects.length > 0 ? ` -> ${effects.join(', ')}` : '',
    ` {=\n      ${body.join('\n      ')}\n    =}`,
    deadline === null
      ? ''
      : ` deadline(${deadline === 'always' ? '0' : '10 hours'}) {=\n      ${late.join('\n      ')}\n    =}`,
  ].join('');
};

/** @param {Source} source */
const sourceText = ({ child, port }) => (child < 0 ? `in${port}` : `n${child}.out${port}`);

/** @param {WireShape} wire */
const wireText = ({ sources, to, port, after, isPhysical, repeat, inTurn }) => {
  const names = sources.map(sourceText).join(', ');
  const from = inTurn ? `interleaved(${names})` : names;
  const delay = after === null ? '' : ` after ${after === 'd' ? 'd' : `${after} ns`}`;
  const target = to < 0 ? `out${port}` : `n${to}.in${port}`;
  return `${repeat ? `(${from})+` : from} ${isPhysical ? '~>' : '->'} ${target}${delay}`;
};

/**
 * @param {number} seed
 * @param {ClassShape[]} classes
 * @param {number} at
 */
const classText = (seed, classes, at) => {
  const type = classes[at];
  const name = `P${seed}c${at}`;
  /** @param {number | null} mode */
  const contents = mode => [
    mode === null ? 'reset state s: uint32_t = 0' : `reset state c${mode}: uint32_t = 1`,
    ...type.timers.flatMap((timer, i) =>
      timer.mode === mode
        ? [`timer t${i}(${timer.offset === null ? 'd' : `${timer.offset} ns`}, ${timer.period} ns)`]
        : [],
    ),
    ...type.actions.flatMap(({ minDelay, spacing, policy, mode: own }, i) => {
      if (own !== mode) return [];
      const rest = spacing === null ? '' : `, ${spacing} ns, "${policy}"`;
      return [`logical action a${i}(${minDelay} ns${rest}): int`];
    }),
    ...type.children.flatMap(({ of, bank, mode: own, q, d }, i) => {
      if (own !== mode) return [];
      const given = `w = ${i}, i1 = bank_index, w1 = w, i2 = i1, w2 = w1, i3 = i2, w3 = w2, q = ${q ?? 'q'}, d = ${d === null ? 'd' : `${d} ns`}`;
      return [`n${i} = new${bracket(bank)} P${seed}c${of}(${given})`];
    }),
    ...type.wires.flatMap(wire => (wire.mode === mode ? [wireText(wire)] : [])),
    ...type.reactions.flatMap((reaction, i) =>
      reaction.mode === mode ? [reactionText(name, type, i)] : [],
    ),
  ];
  return `reactor ${name}(${parameters}) {
  ${preamble}
  ${type.ins.map((width, i) => `input${bracket(width)} in${i}: uint32_t`).join('\n  ')}
  ${type.outs.map((width, i) => `output${bracket(width)} out${i}: uint32_t`).join('\n  ')}
  ${contents(null).join('\n  ')}
  ${upTo(type.modes)
    .map(m => `${m === 0 ? 'initial ' : ''}mode M${m} {\n    ${contents(m).join('\n    ')}\n  }`)
    .join('\n  ')}
}
`;
};

/**
 * @param {string} name  of the main reactor
 * @param {Shape[]} shapes  programs that run beside each other; one that may ask for the end is alone
 */
export const linguaFranca = (name, shapes) => `target C {
  single-threaded: true,
  fast: true,
  timeout: ${timeoutNs} ns,
  keepalive: ${!shapes[0].stops},
  build-type: Debug,
  logging: warn
}
${shapes.flatMap(({ seed, classes }) => upTo(classes.length).map(at => classText(seed, classes, at))).join('')}
main reactor ${name} {
  ${shapes.map(({ seed, classes }) => `p${seed} = new P${seed}c${classes.length - 1}(w = ${mainPlace})`).join('\n  ')}
}
`;
