// Loaded before a foreign test file: what it imports of SwingSet leads to this package (hooks.js).

import { register } from 'node:module';

register('./hooks.js', import.meta.url, { data: { sdk: process.env.SWINGSET_SDK } });
