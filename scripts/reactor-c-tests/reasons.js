// Reasons why a program may do something else on reactor-c than here: docs/reactor-c.md has them, too.

/** @import { Shape } from './shape.js' */

/** @type {[reason: string, has: (shape: Shape) => boolean][]} */
const reasons = [
  [
    'a mode is reset within itself',
    ({ nodes }) =>
      nodes.some(({ reactions }) =>
        reactions.some(({ mode, enters }) => enters?.kind === 'reset' && enters.mode === mode),
      ),
  ],
  ['policy "update"', shape => hasAction(shape, ({ policy }) => policy === 'update')],
  ['a spacing of 0', shape => hasAction(shape, ({ spacing }) => spacing === 0)],
  [
    'an event with a spacing after the timeout',
    shape => hasAction(shape, ({ spacing }) => spacing !== null),
  ],
  [
    'events of one time that come back with their mode',
    ({ nodes }) =>
      nodes.some(
        ({ actions, reactions }) =>
          actions.some(({ mode }) => mode !== null) &&
          reactions.some(({ enters }) => enters?.kind === 'history'),
      ),
  ],
];

/** @param {Shape} shape @param {(action: Shape['nodes'][0]['actions'][0]) => boolean} isSuch */
const hasAction = ({ nodes }, isSuch) => nodes.some(({ actions }) => actions.some(isSuch));

/** @param {Shape} shape */
export const reasonsFor = shape =>
  reasons.filter(([, has]) => has(shape)).map(([reason]) => reason);
