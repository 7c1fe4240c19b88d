// Adds reactions to a scene, with their triggers, sources and effects.

import { formatExactDuration } from '#model';

/** @import { OutlineReaction, OutlineReactor, OutlineReference } from '#reactor' */
/** @import { Box, Item, Link, Scene } from './scene.js' */

/**
 * @typedef {object} Program
 * @property {Scene} scene
 * @property {OutlineReactor[]} reactors
 * @property {Box[]} boxes  one for each reactor; its first inner boxes are its modes
 * @property {((port: string) => string)[]} portId  for each reactor, from a port's name to its id in the scene
 * @property {boolean} hasStages
 */

/** @param {Program} program */
export const addReactions = program => {
  for (const reactor of program.reactors) addOwn(program, reactor);
};

/**
 * @param {Program} program
 * @param {OutlineReactor} reactor
 */
const addOwn = ({ scene, reactors, boxes, portId, hasStages }, reactor) => {
  const box = boxes[reactor.id];
  const modeAt = (/** @type {string | null} */ mode) =>
    reactor.modes.findIndex(({ name }) => name === mode);
  const inside = (/** @type {string | null} */ mode) =>
    mode === null ? box : box.boxes[modeAt(mode)];

  /** @type {Map<string, string>} ids of items by kind and name; of startup and its like by kind and mode */
  const known = new Map();
  /** @param {string} key @param {string | null} mode @param {Omit<Item, 'id' | 'about'>} item */
  const add = (key, mode, item) => {
    const id = `${box.id}_i${known.size}`;
    known.set(key, id);
    inside(mode).items.push({ ...item, id, about: [item.label, ...item.notes].join('\n') });
  };
  for (const { name, mode, offsetNs, periodNs } of reactor.timers) {
    const once = formatExactDuration(offsetNs);
    const every = periodNs === 0 ? '' : `every ${formatExactDuration(periodNs)}`;
    const when = every === '' ? [once] : offsetNs === 0 ? [every] : [once, every];
    add(`timer ${name}`, mode, { kind: 'timer', label: name, notes: [when.join(', ')] });
  }
  for (const { name, mode, isPhysical, minDelayNs, minSpacingNs, policy } of reactor.actions) {
    const notes = [
      ...(minDelayNs > 0 ? [`delay ${formatExactDuration(minDelayNs)}`] : []),
      ...(minSpacingNs === null ? [] : [`spacing ${formatExactDuration(minSpacingNs)}, ${policy}`]),
    ];
    add(`action ${name}`, mode, { kind: isPhysical ? 'physical' : 'logical', label: name, notes });
  }
  for (const { name, class: type, mode } of reactor.transients) {
    add(`transient ${name}`, mode, { kind: 'transient', label: name, notes: [`spawns ${type}`] });
  }

  /** @param {OutlineReaction} reaction @param {OutlineReference} reference */
  const idOf = ({ mode }, { kind, name, reactor: owner }) => {
    if (kind === 'port') return portId[/** @type {number} */ (owner)](name);
    if (kind === 'mode') return box.boxes[modeAt(name)].id;
    const isBuiltIn = kind === 'startup' || kind === 'shutdown' || kind === 'reset';
    const key = isBuiltIn ? `${kind} ${mode}` : `${kind} ${name}`;
    if (isBuiltIn && !known.has(key)) add(key, mode, { kind, label: kind, notes: [] });
    return /** @type {string} */ (known.get(key));
  };

  for (const reaction of reactor.reactions) {
    const { number, mode, triggers, sources, effects } = reaction;
    const id = `${box.id}_n${number}`;
    const seek = box.seek && { ...box.seek, member: reaction.name };
    inside(mode).items.push({ ...itemOf(reaction, reactors, hasStages), id, seek });
    /** @param {OutlineReference} reference @param {Link['kind']} kind @param {boolean} isIn */
    const link = (reference, kind, isIn) => {
      const other = idOf(reaction, reference);
      const [from, to] = isIn ? [other, id] : [id, other];
      const { channels, result, transition } = reference;
      const label = transition ?? result ?? (channels ? `[${channels.join(', ')}]` : '');
      const { kind: of } = reference;
      // A transition out of the initial mode goes to the right.
      const isFromInitial = of === 'mode' && inside(mode).isInitial;
      const mayGoBack = !isIn && (of === 'action' || (of === 'mode' && !isFromInitial));
      scene.links.push({ from, to, kind, label, isPhysical: false, mayGoBack });
    };
    for (const trigger of triggers) link(trigger, 'trigger', true);
    for (const source of sources) link(source, 'source', true);
    for (const effect of effects)
      link(effect, effect.kind === 'mode' ? 'transition' : 'effect', false);
  }
};

/**
 * @param {OutlineReaction} reaction
 * @param {OutlineReactor[]} reactors
 * @param {boolean} hasStages
 * @returns {Omit<Item, 'id'>}
 */
const itemOf = (reaction, reactors, hasStages) => {
  const { name, number, isMutation, level, lastLevel, stage, deadlineNs } = reaction;
  const levels = level === lastLevel ? `level ${level}` : `levels ${level} to ${lastLevel}`;
  const deadline = deadlineNs === null ? '' : `deadline ${formatExactDuration(deadlineNs)}`;
  const named = (/** @type {OutlineReference[]} */ list) =>
    list
      .map(({ kind, name: item, reactor, result, transition }) => {
        const holder = kind === 'port' ? reactors[/** @type {number} */ (reactor)] : undefined;
        const isOwn = holder === undefined || holder.reactions.includes(reaction);
        return [isOwn ? '' : holder.name, item, result, transition].filter(Boolean).join('.');
      })
      .join(', ') || 'none';
  return {
    kind: isMutation ? 'mutation' : 'reaction',
    label: name,
    notes: [hasStages ? `stage ${stage}, ${levels}` : levels],
    ...(deadline !== '' && { warning: deadline }),
    about: [
      `${isMutation ? 'mutation' : 'reaction'} ${name}, number ${number} of its reactor, stage ${stage}, ${levels}`,
      `triggers: ${named(reaction.triggers)}`,
      `sources: ${named(reaction.sources)}`,
      `effects: ${named(reaction.effects)}`,
      ...(deadline === '' ? [] : [deadline]),
    ].join('\n'),
  };
};
