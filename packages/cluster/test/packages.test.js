// A cluster's packages are optional: where they are missing, each command that needs them is one line, and exit code 2.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import test from 'ava';
import { UserError } from '#model';
import { findOwnEngine } from '../lead.js';
import { insistSameEngine } from '../follower.js';
import { Unacknowledged } from '../interface.js';
import { insistVersion } from '../nats-connection.js';
import {
  explainConnection,
  explainNoAnswer,
  explainNoJetStream,
  explainRequest,
  isMissing,
} from '../nats-errors.js';

const main = path.join(import.meta.dirname, '..', '..', '..', 'runner', 'main.js');

/** Makes Node find no package of the client. */
const resolver = `export const resolve = (name, context, next) => {
  if (!name.startsWith('@nats-io/')) return next(name, context);
  throw Object.assign(Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
};`;

/** @param {string} source */
const asModule = source => `data:text/javascript,${encodeURIComponent(source)}`;

const withoutPackages = asModule(
  `import { register } from 'node:module'; register(${JSON.stringify(asModule(resolver))});`,
);

const at = ['--cluster', 'nats://127.0.0.1:1', '--run', 'r'];

test('a command without its optional packages says how to install them', async t => {
  await Promise.all(
    [
      ['lead', 'demos/pingpong', ...at],
      ['status', ...at],
      // A program that can be run; it is not started.
      ['cluster', 'demos/pingpong', '--server', process.execPath],
    ].map(async given => {
      const flags = ['--import', withoutPackages, main, ...given];
      const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', part => {
          text += part;
        });
      const [code] = await once(child, 'close');
      t.is(code, 2, text);
      t.is(
        text,
        'swingset-runner: a cluster needs packages that are not installed: npm install @nats-io/transport-node @nats-io/jetstream @nats-io/obj\n',
      );
    }),
  );
});

test('a replica without a record and servers without a majority are neither damage nor a lack of JetStream', t => {
  for (const code of [404, 10037, 10059]) t.true(isMissing({ code }));
  for (const code of [10008, 503, undefined]) t.false(isMissing({ code }));
  const silence = new Unacknowledged('JetStream system temporarily unavailable');
  t.like(explainNoAnswer('nats://a:1', silence), {
    exitCode: 1,
    message:
      'JetStream at nats://a:1 does not answer (JetStream system temporarily unavailable); most of its servers have to be there: start those that are missing',
  });
  t.regex(explainNoAnswer('nats://a:1', new Unacknowledged('503')).message, /has no JetStream/);
});

test('exit codes distinguish errors of the command from errors of the environment', t => {
  const name = 'nats://a:1';
  const refused = Error('connect ECONNREFUSED 127.0.0.1:1');
  const unauthorized = Object.assign(Error('Authorization Violation'), {
    name: 'AuthorizationError',
  });
  const forbidden = Object.assign(Error('Permissions Violation'), {
    ...{ name: 'PermissionViolationError', operation: 'publish', subject: 's' },
  });
  const request = (/** @type {object} */ error) => explainRequest(error, name, 'write to the log');
  const tooOld = t.throws(() => insistVersion('2.10.29', name));
  const rows = /** @type {[1 | 2, unknown, RegExp][]} */ ([
    [
      2,
      explainConnection(refused, name, false),
      /^no NATS server answers at nats:\/\/a:1; start one/,
    ],
    [2, explainConnection(unauthorized, name, false), /^nats:\/\/a:1 refuses the credentials; /],
    [2, explainNoJetStream(name), /has no JetStream for this account; start the server with -js/],
    [2, tooOld, /^nats:\/\/a:1 is nats-server 2\.10\.29; version 2\.11 or later is needed$/],
    [
      2,
      request(forbidden),
      /^the user of nats:\/\/a:1 may not publish to "s", which is needed to write/,
    ],
    [
      1,
      request({ code: 10047, message: 'x' }),
      /has no room left to write to the log \(x\); free space/,
    ],
    [1, request(Error('no space left on device')), /has no room left to write to the log/],
    [1, request({ code: 10005, message: 'x' }), /has too few servers to write to the log/],
    [1, request(Error('invalid operation on sealed stream')), /has sealed the log/],
  ]);
  for (const [exitCode, error, message] of rows) {
    t.true(UserError.is(error));
    t.like(error, { exitCode });
    t.regex(/** @type {Error} */ (error).message, message);
  }
});

test("a host with another engine gets the name of the run's engine", t => {
  const engine = findOwnEngine();
  const facts = /** @type {any} */ ({ run: 'r', version: '1.0.0', engine });
  t.notThrows(() => insistSameEngine(facts, { version: '1.0.0', engine }, 'host h1'));
  for (const change of [{ v8: '1.2' }, { icu: 'none at all' }, { arch: 'pdp11' }]) {
    const other = { ...engine, ...change };
    const own = { version: '1.0.0', engine: other };
    const both = `(V8 ${other.v8}, ICU ${other.icu}, ${other.arch}) than run r was begun with (V8 ${engine.v8}, ICU ${engine.icu}, ${engine.arch})`;
    t.throws(() => insistSameEngine(facts, own, 'host h1', '20.19.0'), {
      message: `host h1 has another engine ${both}; use Node 20.19.0, as its leader does`,
    });
    t.throws(() => insistSameEngine(facts, own, 'this leader'), {
      message: `this leader has another engine ${both}; use that version of Node`,
    });
  }
});
