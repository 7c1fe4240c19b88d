// Is loaded before a test file of agoric-sdk, and redirects its imports of SwingSet and its store to this package (hooks.js).

import { register } from 'node:module';

register('./hooks.js', import.meta.url, { data: { sdk: process.env.SWINGSET_SDK } });
