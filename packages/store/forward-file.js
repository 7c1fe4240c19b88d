// A file that is read once, a piece at a time, and digested on the way.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { UserError } from '#model';

/** Bytes read at a time. */
const pieceBytes = 256 * 1024;

/**
 * A file read from its beginning to its end, as far as it is asked for.
 *
 * @param {string} file
 */
export const openForward = file => {
  const fd = fs.openSync(file, 'r');
  const { size } = fs.fstatSync(fd);
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(pieceBytes);
  let from = 0;
  let to = 0;
  /** Offset of the first byte that was not read yet. */
  let at = 0;
  /** @param {string} what @returns {never} */
  const refuse = what => {
    throw new UserError(`${file} is no whole state: at byte ${at}, ${what}; export it again`, {
      exitCode: 1,
    });
  };
  return {
    refuse,
    get left() {
      return size - at;
    },
    /**
     * Up to so many bytes, and at least one; they are good until the next call.
     *
     * @param {number} most
     * @param {string} what
     */
    some(most, what) {
      if (from === to) {
        from = 0;
        to = fs.readSync(fd, buffer, 0, buffer.length, null);
        if (to === 0) refuse(`it ends in ${what}`);
      }
      const found = buffer.subarray(from, Math.min(to, from + most));
      from += found.length;
      at += found.length;
      hash.update(found);
      return found;
    },
    /**
     * A copy of so many bytes.
     *
     * @param {number} count
     * @param {string} what
     */
    all(count, what) {
      if (count > size - at) refuse(`${what} of ${count} bytes does not end before the file does`);
      const bytes = Buffer.allocUnsafe(count);
      for (let done = 0; done < count;) {
        const found = this.some(count - done, what);
        bytes.set(found, done);
        done += found.length;
      }
      return bytes;
    },
    /** The digest of all bytes read so far. */
    digest: () => hash.copy().digest(),
    close: () => fs.closeSync(fd),
  };
};

/** @typedef {ReturnType<typeof openForward>} Forward */
