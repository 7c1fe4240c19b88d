// Reasons why a program may do something else on reactor-c than here: docs/reactor-c.md has them, too.

/** @import { Shape } from './shape.js' */

/** @type {[reason: string, has: (shape: Shape) => boolean][]} */
const reasons = [
  [
    'a mode is reset within itself',
    ({ classes }) =>
      classes.some(({ reactions }) =>
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
    ({ classes }) =>
      classes.some(
        ({ actions, reactions }) =>
          actions.some(({ mode }) => mode !== null) &&
          reactions.some(({ enters }) => enters?.kind === 'history'),
      ),
  ],
  ['a program that may end before its timeout', ({ stops }) => stops],
  [
    'a delayed connection from several ports, or with more sources than destinations',
    ({ classes }) =>
      classes.some(({ wires }) =>
        wires.some(
          ({ sources, after, isPhysical, isTooWide }) =>
            (isTooWide || sources.length > 1) && (after !== null || isPhysical),
        ),
      ),
  ],
  [
    'a connection of a mode between parts of no mode',
    ({ classes }) =>
      classes.some(({ wires, children }) =>
        wires.some(({ mode, to, sources }) => {
          const isOutside = (/** @type {number} */ child) => children[child]?.mode !== mode;
          return mode !== null && isOutside(to) && sources.every(({ child }) => isOutside(child));
        }),
      ),
  ],
  [
    'a mode with modal reactors is entered by history',
    ({ classes }) =>
      classes.some(({ reactions, children }) =>
        reactions.some(
          ({ enters }) =>
            enters?.kind === 'history' &&
            children.some(({ of, mode }) => mode === enters.mode && hasModes(classes, of)),
        ),
      ),
  ],
];

/** @param {Shape['classes']} classes @param {number} of @returns {boolean} */
const hasModes = (classes, of) =>
  classes[of].modes > 0 || classes[of].children.some(child => hasModes(classes, child.of));

/** @param {Shape} shape @param {(action: Shape['classes'][0]['actions'][0]) => boolean} isSuch */
const hasAction = ({ classes }, isSuch) => classes.some(({ actions }) => actions.some(isSuch));

/** @param {Shape} shape */
export const reasonsFor = shape =>
  reasons.filter(([, has]) => has(shape)).map(([reason]) => reason);
