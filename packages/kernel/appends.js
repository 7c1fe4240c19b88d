// What a block adds to streams: for each a writer, which serves every block again. A store reads it when the block is
// committed, and copies what it reads.

import { ByteWriter } from '#model';

export class Appends {
  /** @type {Map<string, ByteWriter>} by the stream's name */
  #writers = new Map();

  /** The same, for a commit, in the order in which they were made. @type {{ name: string, writer: ByteWriter }[]} */
  #list = [];

  /** @param {string} name  of the stream */
  writer(name) {
    let writer = this.#writers.get(name);
    if (writer === undefined) {
      writer = new ByteWriter();
      this.#writers.set(name, writer);
      this.#list.push({ name, writer });
    }
    return writer;
  }

  /** What has been added to a stream, if anything. @param {string} name */
  view(name) {
    return this.#writers.get(name)?.view();
  }

  /** @param {string} name  of a stream that is dropped */
  drop(name) {
    this.#writers.delete(name);
    this.#list = this.#list.filter(entry => entry.name !== name);
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
    for (let i = 0; i < list.length; i += 1) list[i].writer.length = 0;
  }
}
