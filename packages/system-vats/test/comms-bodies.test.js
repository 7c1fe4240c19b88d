// Bodies that comms writes in its own words.

import '#testkit/lockdown.js';
import test from 'ava';
import { profiles } from '#kernel';
import { makeBodies } from '../comms/bodies.js';

test('a message to data is rejected with an error', t => {
  t.deepEqual(makeBodies(profiles.current.wire).undeliverable('ask'), {
    body: '#{"#error":"data is not callable, has no method ask","name":"TypeError"}',
    slots: [],
  });
});

test('under 2020-09 a message to data is rejected with the record of that comms', t => {
  t.deepEqual(makeBodies(profiles['2020-09'].wire).undeliverable('ask'), {
    body: '{"@":"error","name":"TypeError","message":"data is not callable, has no method ask"}',
    slots: [],
  });
});
