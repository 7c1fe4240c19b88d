// Messages that were read and written of late. Many are sent again and again with the same body: a tick, a ping, a
// question without arguments. `JSON.parse` takes 200 ns for such a one, to find it here takes 30.

/** So many places, a power of two. A body has one of them. */
const places = 32;

/** Longer bodies seldom come twice. */
const longest = 100;

/** @param {string} body  not empty */
const placeOf = body => {
  const { length } = body;
  return (length * 7 + body.charCodeAt(length >> 1) + body.charCodeAt(length >> 2)) & (places - 1);
};

/** @typedef {{ method: unknown, args: unknown[] }} Message */

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

/** A message that was read. */
class Read {
  body = '';

  message = /** @type {Message} */ ({ method: undefined, args: [] });
}

const none = new Read();

/** Of who has read no message yet, as most vats at most times. */
const nonePlaces = Array.from({ length: places }, () => none);

/** Messages that were read. */
export class ReadMessages {
  #places = nonePlaces;

  /** @param {string} body  not empty */
  find(body) {
    const found = this.#places[placeOf(body)];
    return found.body === body ? found.message : undefined;
  }

  /**
   * A message of plain texts, numbers and the like is kept.
   *
   * @param {string} body  that names no slots
   * @param {Message} message
   */
  note(body, message) {
    if (body.length > longest) return;
    const { args } = message;
    for (let i = 0; i < args.length; i += 1) if (!isPrimitive(args[i])) return;
    if (this.#places === nonePlaces) this.#places = Array.from({ length: places }, () => none);
    const at = placeOf(body);
    let place = this.#places[at];
    if (place === none) {
      place = new Read();
      this.#places[at] = place;
    }
    place.body = body;
    place.message = message;
  }
}
