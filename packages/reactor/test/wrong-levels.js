// The oracle of levels: worked out anew for the whole program, from the graph alone.

import { destinationsFrom, destinationsIn } from '../downstream.js';
import { predecessorsOf } from '../graph.js';
import { wiresTo } from '../rewiring.js';

/** @import { ReactorNode } from '../node.js' */
/** @import { Reaction } from '../reaction.js' */

/**
 * Reactions whose level is not the length of the longest path to them. Where it is that of all of them, there is no
 * other numbering: so this finds whatever a change has left behind.
 *
 * @param {ReactorNode} main
 * @returns {string[]} `path has, should have`
 */
export const wrongLevels = main => {
  const reactions = main.subtree().flatMap(node => node.reactions);
  return reactions.flatMap(reaction => {
    let depth = 0;
    const visit = (/** @type {Reaction} */ before) => {
      depth = Math.max(depth, before.depth + 1);
    };
    predecessorsOf(reaction, visit, () => {});
    const isRight = depth === reaction.depth && reaction.level.index === depth;
    return isRight ? [] : [`${reaction.path} ${reaction.depth}, ${depth}`];
  });
};

/**
 * @param {ReactorNode} main
 * @returns {boolean} whether a reaction depends on itself
 */
export const hasCycle = main => {
  /** Reactions that were searched, and whether to the end. @type {Map<Reaction, boolean>} */
  const seen = new Map();
  /** @type {(reaction: Reaction) => boolean} */
  const leadsBack = reaction => {
    const known = seen.get(reaction);
    if (known !== undefined) return !known;
    seen.set(reaction, false);
    let found = false;
    const visit = (/** @type {Reaction} */ before) => {
      found ||= leadsBack(before);
    };
    predecessorsOf(reaction, visit, () => {});
    seen.set(reaction, true);
    return found;
  };
  return main.subtree().some(node => node.reactions.some(leadsBack));
};

/**
 * Ports of which the noted destinations are not those that a look at all connections finds.
 *
 * @param {ReactorNode} main
 * @returns {string[]}
 */
export const wrongDestinations = main =>
  main.subtree().flatMap(node => {
    if (node.targets === null) return [];
    const sources = [node, ...node.children].flatMap(({ ports }) => ports);
    return sources.flatMap(source =>
      Array.from({ length: source.width + 1 }, (_, i) => i - 1)
        .filter(index => {
          const found = destinationsFrom(source, index, node);
          const wanted = [...destinationsIn(node)].filter(end =>
            wiresTo(...end).some(
              wire => wire.source === source && (index < 0 || wire.sourceIndex === index),
            ),
          );
          return (
            found.length !== wanted.length ||
            found.some(([port, i], k) => port !== wanted[k][0] || i !== wanted[k][1])
          );
        })
        .map(index => `${source.path} ${index}`),
    );
  });
