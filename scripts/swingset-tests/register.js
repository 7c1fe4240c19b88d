// Is loaded before a test file of SwingSet, and redirects its imports of SwingSet to this package (hooks.js).

import { register } from 'node:module';

register('./hooks.js', import.meta.url, { data: { sdk: process.env.SWINGSET_SDK } });
