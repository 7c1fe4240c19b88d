// Import first in a test that needs hardened JavaScript. A realm can be locked down once, so each such test
// file runs in a process of its own (ava.config.js).

import 'ses';

lockdown({
  errorTaming: 'safe',
  overrideTaming: 'severe',
  consoleTaming: 'unsafe',
  domainTaming: 'unsafe',
  unhandledRejectionTrapping: 'none',
});
