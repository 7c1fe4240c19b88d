// The directory of this package's demos: the fallback for a directory that does not exist.

import { fileURLToPath } from 'node:url';

export const demosDir = fileURLToPath(new URL('../demos', import.meta.url));
