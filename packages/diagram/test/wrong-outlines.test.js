// A diagram of something that is no outline.

import test from 'ava';
import { mermaidDiagram } from '#diagram';

test('a diagram says of what it can be made', t => {
  for (const value of /** @type {any[]} */ ([undefined, null, 5, 'text', [], {}, () => {}]))
    t.throws(() => mermaidDiagram(value), {
      instanceOf: TypeError,
      message: /^a diagram takes an outline: of outlineOf\(\), outlineOfModule\(\)/,
    });
});
