// A diagram of something that is no outline.

import test from 'ava';
import { htmlDiagram, mermaidDiagram, outlineOfModule } from '#diagram';
import { outlineOf, Program, Reactor } from '#reactor';

test('a diagram says of what it can be made', t => {
  for (const value of /** @type {any[]} */ ([undefined, null, 5, 'text', [], {}, () => {}]))
    t.throws(() => mermaidDiagram(value), {
      instanceOf: TypeError,
      message: /^a diagram takes an outline: of outlineOf\(\), outlineOfModule\(\)/,
    });
});

test('a module is named by its path', async t => {
  for (const value of /** @type {any[]} */ ([undefined, null, 5, new URL('file:///program.js')]))
    await t.throwsAsync(() => outlineOfModule(value), {
      instanceOf: TypeError,
      message: /^outlineOfModule\(\) takes the path of a module, got /,
    });
  await t.throwsAsync(() => outlineOfModule('a\0.js'), {
    message: /no path has the character NUL/,
  });
});

test('an outline and its page take no unknown options', async t => {
  const program = new Program(new Reactor(), { fast: true });
  for (const options of /** @type {any[]} */ ([null, { maxBanks: 1 }, { maxBank: '1' }]))
    t.throws(() => outlineOf(program, options), { message: /of outlineOf\(\)/ });
  for (const options of /** @type {any[]} */ ([null, { titel: 'it' }, { title: 1 }]))
    await t.throwsAsync(() => htmlDiagram(outlineOf(program), options), {
      message: /of htmlDiagram\(\)/,
    });
});
