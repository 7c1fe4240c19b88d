// The page of a matrix (`bench snapshot`) and that of a cluster's status in a browser: they break no rule of accessibility,
// light or dark. It needs Chromium or Chrome (scripts/prepare-chromium.sh).

import fs from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import { runFiles } from '../packages/matrix/files.js';
import { formatStatusPage } from '../packages/cluster/status.js';
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
    const check = `${violations}
    return {
      dark: getComputedStyle(document.body).backgroundColor,
      broken: await violations(),
      pictures: document.querySelectorAll('svg[role=img]').length,
      fits: document.documentElement.scrollWidth <= innerWidth,
    };`;
    const expected = { broken: [], pictures: 3, fits: true };
    t.deepEqual(await inPage(t, html, check), { dark: 'rgb(255, 255, 255)', ...expected });
    const dark = html.replace('(prefers-color-scheme: dark)', 'all');
    t.not(dark, html);
    t.deepEqual(await inPage(t, dark, check), { dark: 'rgb(22, 25, 29)', ...expected });
  },
);

ifBrowser("the page of a cluster's status breaks no rule of accessibility", async t => {
  t.timeout(120_000);
  /** @type {import('../packages/cluster/status.js').Status} */
  const status = {
    ...{ run: 'r1', program: 'pingpong', state: 'running', leader: 'machine-a.1', epoch: 2 },
    ...{ block: 812, record: 991, leaseMs: 3_000, activityHash: 'd9'.repeat(32), refused: {} },
    hosts: [
      { name: 'one', threads: 2, vats: 3, cranks: 1203, batches: 33, busyMs: 932, lagMs: 12 },
    ],
    vats: [{ vatId: 'v1', name: 'bootstrap', hosts: ['one'], cranks: 3 }],
    staying: [{ name: 'timer', vatId: 'v5', reason: 'it calls a device' }],
    unlisted: { hosts: 0, vats: 4, staying: 0 },
  };
  const html = formatStatusPage(status);
  const check = `${violations}
    // As on a phone, where tables are scrolled.
    document.body.style.width = '12em';
    return { broken: await violations(), titles: [...document.querySelectorAll('h2')].map(h => h.textContent) };`;
  const titles = ['Hosts', 'Vats', 'Vats on the leader'];
  for (const scheme of ['light', 'dark'])
    t.deepEqual(await inPage(t, html.replace('light dark', scheme), check), { broken: [], titles });
});
