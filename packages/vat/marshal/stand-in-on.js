// Imported for its effect, just before @endo/pass-style; pass-style.js says why.

import { lendHandledPromise } from './stand-in.js';

lendHandledPromise();
