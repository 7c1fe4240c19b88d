// The method of a message in the kernel's own errors.

import test from 'ava';
import { qclass, smallcaps } from '../crank/wire.js';

/** @param {string} body */
const methods = body => [smallcaps, qclass].map(wire => wire.methodName({ body, slots: [] }));

test('a name in smallcaps is shown as by SwingSet, one of 2020 unchanged', t => {
  t.deepEqual(methods('#["%@@asyncIterator",[]]'), ['[@@asyncIterator]', '%@@asyncIterator']);
  t.deepEqual(methods('#["#undefined",[]]'), ['<funcall>', '#undefined']);
  t.deepEqual(methods('#["!-x",[]]'), ['-x', '!-x']);
  t.deepEqual(methods('#["$0.x",[]]'), ['<unintelligible method>', '$0.x']);
  t.deepEqual(methods('["%x",[]]'), ['%x', '%x']);
});

test('a body without a name has an unknown method', t => {
  for (const body of ['', '#', '[', '["', '#["\\', '[{"@qclass":"undefined"},[]]', '["\\u",[]]'])
    t.deepEqual(methods(body), ['(unknown)', '(unknown)'], body);
});
