/**
 * The version of everything written to a store: keys, values, transcripts, inputs, hash records. A store of another
 * version is refused.
 */
export const schemaVersion = 4;
