// Values: bytes, most of them UTF-8 text. A text and its bytes are the same value.

/// <reference lib="es2024.string" />

/** The key under which the store itself writes the schema version, with the first block. */
export const schemaKey = 'schema';

/**
 * A value as it is kept until it reaches the disk: bytes are copied, since their owner may reuse them; a string becomes
 * what UTF-8 preserves of it.
 *
 * @param {string | Uint8Array} value
 */
export const keptValue = value => {
  if (typeof value !== 'string') return new Uint8Array(value);
  return value.isWellFormed() ? value : value.toWellFormed();
};

/**
 * @param {string | Uint8Array | undefined} value
 * @returns {string | undefined}
 */
export const asText = value => {
  if (value === undefined || typeof value === 'string') return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
};

/**
 * @param {string | Uint8Array | undefined} value
 * @returns {Uint8Array | undefined}
 */
export const asBytes = value => (typeof value === 'string' ? Buffer.from(value) : value);
