// Imported for its effect, just after @endo/pass-style; pass-style.js says why.

import { returnHandledPromise } from './stand-in.js';

returnHandledPromise();
