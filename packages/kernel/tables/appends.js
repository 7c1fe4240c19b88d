// The entries that a block appends to streams: one writer for each stream. A store reads and copies them when the block
// is committed. A stream that the next block does not write to loses its writer, so that a commit visits only streams
// that this block and the one before have written to.

import { ByteWriter } from '#model';

/** An owner that caches the writer of its stream, while there is one. @typedef {{ transcript: ByteWriter | undefined }} StreamOwner */

/** Up to this many streams are searched one by one; more are indexed. */
const few = 8;

/** Writers kept for reuse, at most; large ones are not kept. */
const mostSpare = 64;

/** Bytes of a writer that is kept, at most. */
const largestSpare = 1 << 20;

/** A stream that the block writes to. */
class Append {
  /**
   * @param {string} name  '' once the stream is deleted
   * @param {ByteWriter} writer
   * @param {StreamOwner | null} owner
   */
  constructor(name, writer, owner) {
    this.name = name;
    this.writer = writer;
    this.owner = owner;
  }
}

export class Appends {
  /** @type {Append[]} */
  #list = [];

  /** @type {Map<string, Append> | undefined} by the stream's name, if there are many */
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
   * The writer of a stream. A caller that is not its owner must ask again in each block.
   *
   * @param {string} name  of the stream
   * @param {StreamOwner | null} [owner]
   */
  writer(name, owner = null) {
    const known = this.#find(name);
    if (known !== undefined) return known.writer;
    const made = new Append(name, this.#spare.pop() ?? new ByteWriter(), owner);
    // A list that grows from empty reserves 17 elements.
    if (this.#list.length === 0) this.#list = [made];
    else this.#list.push(made);
    if (this.#index !== undefined) this.#index.set(name, made);
    else if (this.#list.length > few)
      this.#index = new Map(this.#list.map(append => [append.name, append]));
    return made.writer;
  }

  /** The bytes that were appended to a stream, if any. @param {string} name */
  view(name) {
    return this.#find(name)?.writer.view();
  }

  /** @param {string} name  of a stream that is deleted */
  delete(name) {
    const known = this.#find(name);
    if (known === undefined) return;
    this.#index?.delete(name);
    known.name = '';
    known.writer.length = 0;
    if (known.owner !== null) known.owner.transcript = undefined;
  }

  /** @param {(bytes: Uint8Array, name: string) => void} visit  called for each stream that was written to */
  forEach(visit) {
    const list = this.#list;
    for (let i = 0; i < list.length; i += 1) {
      const { name, writer } = list[i];
      if (writer.length > 0) visit(writer.view(), name);
    }
  }

  /** Empties the writers after a commit. */
  clear() {
    const list = this.#list;
    let idle = 0;
    for (let i = 0; i < list.length; i += 1) if (list[i].writer.length === 0) idle += 1;
    if (idle > 0) this.#removeIdle();
    const left = this.#list;
    for (let i = 0; i < left.length; i += 1) left[i].writer.length = 0;
  }

  /** Takes the writers from streams that the block has not written to. */
  #removeIdle() {
    const left = [];
    for (const append of this.#list) {
      if (append.writer.length > 0) {
        left.push(append);
      } else {
        // A stream that was deleted may have another writer by now.
        if (append.name !== '' && append.owner !== null) append.owner.transcript = undefined;
        this.#keepSpare(append.writer);
      }
    }
    this.#list = left;
    this.#index =
      left.length > few ? new Map(left.map(append => [append.name, append])) : undefined;
  }

  /** @param {ByteWriter} writer  empty */
  #keepSpare(writer) {
    if (this.#spare.length < mostSpare && writer.bytes.length <= largestSpare)
      this.#spare.push(writer);
  }
}
