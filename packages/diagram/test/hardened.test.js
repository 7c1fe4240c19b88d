// Diagrams in a host: after lockdown, with hardened reactor classes and an outline that has left its vat.

import '#testkit/lockdown.js';
import test from 'ava';

test('outlines and diagrams can be made in a locked-down realm', async t => {
  const { Federate, outlineOf, vatClasses } = await import('#reactor');
  harden(vatClasses);
  const programs = await import('./programs.js');
  const { mermaidDiagram, svgDiagram } = await import('../index.js');
  for (const Main of [programs.Nested, programs.TrafficLight, programs.Recursion]) {
    const federate = new Federate(new Main(), { clock: { nowNs: () => 0 } });
    federate.setStages(() => 0);
    const outline = harden(JSON.parse(JSON.stringify(outlineOf(federate))));
    t.regex(await svgDiagram(outline), /^<svg /);
    t.regex(mermaidDiagram(outline), /^flowchart LR/);
  }
});
