// Where a reaction is drawn, and what it is called there.

/** @import { Reaction } from '#reactor' */

/** Finding a name takes longer than a reaction, so names are kept. */
export const makeReactionNames = () => {
  /** @type {WeakMap<Reaction, { track: string, name: string }>} */
  const names = new WeakMap();
  return (/** @type {Reaction} */ reaction) => {
    const known = names.get(reaction);
    if (known !== undefined) return known;
    const { node, path } = reaction;
    const { transient } = /** @type {any} */ (node.region);
    // A transient child is used again, elsewhere.
    const track = transient ? `transient ${node.reactor.constructor.name}` : node.path;
    const made = { track, name: path.slice(path.lastIndexOf('.') + 1) };
    names.set(reaction, made);
    return made;
  };
};
