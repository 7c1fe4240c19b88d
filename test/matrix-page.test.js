// The page of a matrix (`bench snapshot`) in a browser: it breaks no rule of accessibility. It needs Chromium or Chrome
// (scripts/prepare-chromium.sh).

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { runFiles } from '../packages/matrix/files.js';
import { drawPage } from '../packages/matrix/page.js';
import { browser } from './browser/chromium.js';
import { inPage, violations } from './browser/in-page.js';

const ifBrowser = browser === undefined ? test.skip : test.serial;

ifBrowser(
  'the page of a matrix breaks no rule of accessibility, and is not wider than the window',
  async t => {
    t.timeout(120_000);
    const dir = temporaryDirectory(t);
    const row = (/** @type {string} */ name, /** @type {boolean} */ forceGc) => {
      const { stats, report } = runFiles(name);
      const blocks = Array.from(
        { length: 60 },
        (_, i) => `${i + 1}\t7\t${700_000 + 900 * i}\t1000`,
      );
      fs.writeFileSync(join(dir, stats), `block\tsteps\tbtime\tctime\n${blocks.join('\n')}\n`);
      fs.writeFileSync(join(dir, report), 'Stat  Value\n');
      return /** @type {any} */ ({
        ...{
          name,
          demo: 'pingpong',
          rounds: 60,
          forceGc,
          madeAt: '2026-01-01',
          activityHash: 'a'.repeat(64),
        },
        published: { ns: 4e8, cranks: 700 },
      });
    };
    const html = drawPage({
      ...{ title: 'A matrix', facts: ['node: v20'], warnings: ['one: the machine was busy'] },
      tables: [
        {
          title: 'Time',
          columns: [
            { head: 'test', isText: true },
            { head: '2020', isText: false },
          ],
          rows: [
            ['one', '5 ms'],
            ['onegc', '9 ms'],
          ],
          notes: ['a `note`'],
        },
      ],
      rows: [row('one', false), row('onegc', true)],
      hasReports: false,
      folder: /** @type {any} */ ({ at: (/** @type {string} */ name) => join(dir, name) }),
    });
    const found = await inPage(
      t,
      html,
      `${violations}
    return {
      broken: await violations(),
      pictures: document.querySelectorAll('svg[role=img]').length,
      fits: document.documentElement.scrollWidth <= innerWidth,
    };`,
    );
    t.deepEqual(found, { broken: [], pictures: 3, fits: true });
  },
);
