// What a block adds to streams: a writer for each stream that it writes to, in the order in which it first did. A store
// reads them when the block is committed, and copies what it reads; then they serve other streams.

import { ByteWriter } from '#model';

/** So many streams are looked through; of more there is an index. */
const few = 8;

/** So many writers are kept from block to block, unless they have become large. */
const mostSpare = 64;

/** Bytes. */
const largestSpare = 1 << 20;

/** A stream that the block writes to. */
class Append {
  /**
   * @param {string} name  '' once the stream is dropped
   * @param {ByteWriter} writer
   */
  constructor(name, writer) {
    this.name = name;
    this.writer = writer;
  }
}

export class Appends {
  /** @type {Append[]} */
  #list = [];

  /** @type {Map<string, Append> | undefined} by the stream's name, when there are many */
  #index;

  /** @type {ByteWriter[]} empty ones */
  #spare = [];

  /** @param {string} name  of the stream */
  #find(name) {
    const list = this.#list;
    if (this.#index !== undefined) return this.#index.get(name);
    for (let i = 0; i < list.length; i += 1) if (list[i].name === name) return list[i];
    return undefined;
  }

  /**
   * To be asked for again in each block.
   *
   * @param {string} name  of the stream
   */
  writer(name) {
    const known = this.#find(name);
    if (known !== undefined) return known.writer;
    const made = new Append(name, this.#spare.pop() ?? new ByteWriter());
    // A list that grows from nothing takes room for 17.
    if (this.#list.length === 0) this.#list = [made];
    else this.#list.push(made);
    if (this.#index !== undefined) this.#index.set(name, made);
    else if (this.#list.length > few)
      this.#index = new Map(this.#list.map(append => [append.name, append]));
    return made.writer;
  }

  /** What has been added to a stream, if anything. @param {string} name */
  view(name) {
    return this.#find(name)?.writer.view();
  }

  /** @param {string} name  of a stream that is dropped */
  drop(name) {
    const known = this.#find(name);
    if (known === undefined) return;
    this.#index?.delete(name);
    known.name = '';
    known.writer.length = 0;
  }

  /** @param {(bytes: Uint8Array, name: string) => void} visit  called for each stream that got anything */
  forEach(visit) {
    const list = this.#list;
    for (let i = 0; i < list.length; i += 1) {
      const { name, writer } = list[i];
      if (writer.length > 0) visit(writer.view(), name);
    }
  }

  /** The block is committed. */
  clear() {
    const list = this.#list;
    if (list.length === 0) return;
    // The last ones first, so that a block that writes to the same streams finds each with the buffer that it had.
    for (let i = list.length - 1; i >= 0; i -= 1) {
      const { writer } = list[i];
      writer.length = 0;
      if (this.#spare.length < mostSpare && writer.bytes.length <= largestSpare)
        this.#spare.push(writer);
    }
    this.#list = [];
    this.#index = undefined;
  }
}
