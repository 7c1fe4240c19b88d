// Keys and stream names: texts ordered by their UTF-8 bytes, which is the order LMDB keeps them in.

/// <reference lib="es2024.string" />

import { compareTexts, Fail } from '#model';

/** Bytes of UTF-8. LMDB takes 1,978 of them in a page of 4,096; a stream's name needs nine for the piece number. */
export const maxKeyBytes = 1024;

/** Characters of a text that is always within the limit. */
const surelyShort = Math.floor(maxKeyBytes / 3);

/** @param {string} text */
export const insistKey = text => {
  const fits =
    text.length > 0 && (text.length <= surelyShort || Buffer.byteLength(text) <= maxKeyBytes);
  fits || Fail`a key of ${text.length} characters; a key has 1 to ${maxKeyBytes} bytes`;
  text.isWellFormed() || Fail`key ${text} has a lone surrogate, which UTF-8 cannot hold`;
};

/** @param {string} name */
export const insistStreamName = name => {
  insistKey(name);
  // NUL ends the name in the keys of a stream's pieces, so that pieces of two streams are never mixed.
  name.includes('\0') && Fail`stream name ${name} has a NUL`;
};

/**
 * Where the search for the smallest key after `prior` with a prefix begins: no key lies between a key and that key
 * followed by NUL.
 *
 * @param {string} prior
 * @param {string} prefix
 */
export const firstCandidate = (prior, prefix) =>
  compareTexts(prior, prefix) < 0 ? prefix : `${prior}\0`;
