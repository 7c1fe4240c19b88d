import test from 'ava';
import { explainNode } from '../node-version.js';

test('a Node that is too old is refused with the required version, and any later one is accepted', t => {
  for (const version of ['14.21.3', '18.20.8', '20.18.3', '4.0.0']) {
    t.is(
      explainNode(version, '>=20.19'),
      `swingset-runner needs Node 20.19 or later, and this is Node ${version}; install a newer one, as from https://nodejs.org`,
    );
  }
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.1.0', '100.0.0'])
    t.is(explainNode(version, '>=20.19'), undefined);
});
