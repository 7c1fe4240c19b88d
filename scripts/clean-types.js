// Deletes types/, which exist only while a package is made: TypeScript would prefer them to the sources.

import { rmSync } from 'node:fs';

rmSync(new URL('../types', import.meta.url), { recursive: true, force: true });
