// URLs of vats are what one library makes of them, the same on every Node. The digest was made by Node 20.20 and is that of
// each of them; a change of the library or of its tables shows here.

import test from 'ava';
import { createHash } from 'node:crypto';
import { makeVatCompartment } from '#loader/compartment/index.js';
import { ensureLockdown } from '#loader/lockdown.js';

test.before(() => ensureLockdown());

const hosts = [
  ...[
    'a.b',
    'A.B',
    'ß.de',
    'ẞ.de',
    'xn--zca.de',
    'ex%61mple.com',
    '1.2.3',
    '0x7f.1',
    '256.1.1.1',
    '[::1]',
    '[::ffff:1.2.3.4]',
  ],
  ...[
    'a_b',
    'a b',
    'a|b',
    'a^b',
    '☃.net',
    'İ.com',
    '．.com',
    'xn--a',
    'xn--',
    'xn--pokxncvks',
    '\u{10D40}.com',
    '\u{A7DA}.x',
  ],
  ...[
    'a..b',
    '.',
    '..',
    '%zz',
    '%00',
    'a\u0000',
    'fa\u200dß.de',
    '\u180e.x',
    '\u0300.x',
    '1e3',
    '4294967296',
    'ab--c.x',
    '-a.x',
    '',
  ],
];

/** @type {((host: string) => string)[]} */
const shapes = [
  host => `http://${host}/`,
  host => `foo://${host}/x`,
  host => `http://u:p@${host}:8080/a b?c=d'e#f g`,
  host => `file://${host}/c:/..`,
  host => `//${host}`,
  host => `http:${host}`,
  host => `http:\\\\${host}\\x`,
  host => `data:${host}`,
  host => `http://x/${host}?${host}#${host}`,
];

const fields = [
  'host',
  'hostname',
  'port',
  'protocol',
  'pathname',
  'search',
  'hash',
  'username',
  'href',
];

/** @param {any} URL @param {string} text @param {string | undefined} base @param {string} host */
const describe = (URL, text, base, host) => {
  if (!URL.canParse(text, base)) return 'invalid';
  const url = new URL(text, base);
  const said = [url.href, url.origin, url.host, `${url.searchParams}`];
  for (const field of fields) {
    try {
      url[field] = host;
    } catch (error) {
      said.push(String(error));
    }
    said.push(url.href);
  }
  return said.join(' ');
};

test('a URL is the same on every Node', t => {
  const { URL } = makeVatCompartment({ name: 'x' }).globalThis;
  const said = hosts.flatMap(host =>
    shapes.flatMap(shape =>
      [undefined, 'http://b.c/d/e?f#g'].map(base => describe(URL, shape(host), base, host)),
    ),
  );
  t.true(said.filter(text => text !== 'invalid').length > 300);
  t.is(createHash('sha256').update(said.join('\n')).digest('hex').slice(0, 16), '57c3f1453ff7e744');
});

test('a text that is no URL is refused in the same words', t => {
  const { URL } = makeVatCompartment({ name: 'x' }).globalThis;
  for (const text of ['x', 'http://xn--a/', 'http://[', ''])
    t.throws(() => new URL(text), { name: 'TypeError', message: 'Invalid URL' });
});
