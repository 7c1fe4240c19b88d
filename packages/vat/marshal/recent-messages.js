// A cache of messages written recently. Many are sent repeatedly with the same body: a tick, a ping, a question without
// arguments.

/** Characters of a kept body, at most; longer bodies seldom repeat. */
const longest = 100;

/** A value that is no object. @param {unknown} value */
const isPrimitive = value => Object(value) !== value;

/** Methods in the cache, at most. */
const mostMethods = 100;

/** The last written message of a method. */
class Written {
  /** @type {readonly unknown[]} */
  #args = [];

  /** Empty string: nothing cached. */
  #body = '';

  /**
   * @param {readonly unknown[]} args
   * @returns {string | undefined} the cached body, if the arguments are the same
   */
  find(args) {
    const known = this.#args;
    if (this.#body === '' || known.length !== args.length) return undefined;
    for (let i = 0; i < args.length; i += 1) if (!Object.is(known[i], args[i])) return undefined;
    return this.#body;
  }

  /**
   * @param {readonly unknown[]} args  not changed afterwards
   * @param {string} body  without slots
   */
  note(args, body) {
    if (body.length > longest) return;
    for (let i = 0; i < args.length; i += 1) if (!isPrimitive(args[i])) return;
    this.#args = args;
    this.#body = body;
  }
}

/** The cache of written messages, by method. */
export class WrittenMessages {
  /**
   * Made with the first message, since in a run with many vats most never write one.
   *
   * @type {Map<string, Written> | undefined}
   */
  #written = undefined;

  /** @param {string} method */
  of(method) {
    this.#written ??= new Map();
    let written = this.#written.get(method);
    if (written === undefined) {
      written = new Written();
      // Starting over costs next to nothing.
      if (this.#written.size >= mostMethods) this.#written.clear();
      this.#written.set(method, written);
    }
    return written;
  }
}
