// The digest by which a round is kept.

import { createHash } from 'node:crypto';

/** @param {readonly string[]} lines */
export const digest = lines =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
