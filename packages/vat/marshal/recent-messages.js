// Messages that were written of late. Many are sent again and again with the same body: a tick, a ping, a question
// without arguments.

/** Longer bodies seldom come twice. */
const longest = 100;

/** A value that is no object. @param {unknown} value */
const isPrimitive = value => Object(value) !== value;

/** Methods of messages that are written. */
const mostMethods = 100;

/** The last message of a method that was written. */
class Written {
  /** @type {readonly unknown[]} */
  #args = [];

  /** '' for none that is kept */
  #body = '';

  /**
   * @param {readonly unknown[]} args
   * @returns {string | undefined} the body, if they are the same
   */
  find(args) {
    const known = this.#args;
    if (this.#body === '' || known.length !== args.length) return undefined;
    for (let i = 0; i < args.length; i += 1) if (!Object.is(known[i], args[i])) return undefined;
    return this.#body;
  }

  /**
   * @param {readonly unknown[]} args  that nobody changes any more
   * @param {string} body  that names no slots
   */
  note(args, body) {
    if (body.length > longest) return;
    for (let i = 0; i < args.length; i += 1) if (!isPrimitive(args[i])) return;
    this.#args = args;
    this.#body = body;
  }
}

/** Messages that were written. */
export class WrittenMessages {
  /** Made when the first one is written: most vats of many never write one. @type {Map<string, Written> | undefined} */
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
