// Reads a file once, a piece at a time, and digests it on the way.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { UserError } from '#model';

/** Bytes read at a time. */
const pieceBytes = 256 * 1024;

/**
 * Opens a file to be read from its beginning towards its end.
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
  /** Offset of the first unread byte. */
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
     * Up to `most` bytes, at least one; valid until the next call.
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
     * A copy of `count` bytes.
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
