// Certificates and credentials for tests, made when they are needed: nothing secret is in the tree.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadNkeys } from '../nats-connection.js';

/** @param {string} dir @param {string[]} args */
const openssl = (dir, ...args) => void execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });

/**
 * A certificate authority, and what it has signed: a server on 127.0.0.1, and a user.
 *
 * @param {string} dir
 * @returns {{ ca: string, serverCert: string, serverKey: string, cert: string, key: string, otherCa: string }} files
 */
export const makeCertificates = dir => {
  const file = (/** @type {string} */ name) => path.join(dir, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other'])
    openssl(
      ...[dir, 'req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name}`],
      ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
    );
  writeFileSync(file('ext'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  for (const name of ['server', 'user']) {
    openssl(
      dir,
      'req',
      ...key,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    );
    openssl(
      ...[dir, 'x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key'],
      ...['-CAcreateserial', '-days', '2', '-extfile', 'ext', '-out', `${name}.pem`],
    );
  }
  return {
    ...{ ca: file('ca.pem'), otherCa: file('other.pem') },
    ...{ serverCert: file('server.pem'), serverKey: file('server.key') },
    ...{ cert: file('user.pem'), key: file('user.key') },
  };
};

/** @param {string | Uint8Array} bytes */
const base64 = bytes => Buffer.from(bytes).toString('base64url');

/**
 * A claim of NATS, signed by who makes it.
 *
 * @param {any} issuer  a pair of keys
 * @param {string} subject  a public key
 * @param {string} name
 * @param {object} nats
 */
const sign = (issuer, subject, name, nats) => {
  const claims = { iat: 1_700_000_000, iss: issuer.getPublicKey(), name, sub: subject, nats };
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex').toUpperCase();
  const body = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { jti, ...claims },
  ]
    .map(each => base64(JSON.stringify(each)))
    .join('.');
  return `${body}.${base64(issuer.sign(Buffer.from(body)))}`;
};

/**
 * An operator with one account that has JetStream, and users of it.
 *
 * @param {string} dir
 * @param {Record<string, { publish: string[], subscribe: string[], answers: boolean }>} users  what each may do
 * @returns {Promise<{ serverLines: string[], credsFile: (user: string) => string }>} lines for a server's configuration, and the
 *   users' files
 */
export const makeAccount = async (dir, users) => {
  const { createAccount, createOperator, createUser } = await loadNkeys();
  const [operator, account, system] = [createOperator(), createAccount(), createAccount()];
  const most = { subs: -1, data: -1, payload: -1 };
  const limits = { ...most, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const ofAccount = (/** @type {object} */ all) => ({ type: 'account', version: 2, limits: all });
  const [accountKey, systemKey] = [account.getPublicKey(), system.getPublicKey()];
  const accountClaim = sign(operator, accountKey, 'runs', ofAccount({ ...limits, ...storage }));
  const systemClaim = sign(operator, systemKey, 'SYS', ofAccount(limits));
  const credsFile = (/** @type {string} */ user) => path.join(dir, `${user}.creds`);
  for (const [user, { publish, subscribe, answers }] of Object.entries(users)) {
    const keys = createUser();
    const claim = sign(account, keys.getPublicKey(), user, {
      ...{ type: 'user', version: 2, ...most },
      ...{ pub: { allow: publish }, sub: { allow: subscribe } },
      ...(answers && { resp: { max: 1, ttl: 60_000_000_000 } }),
    });
    const part = (/** @type {string} */ what, /** @type {string} */ text, end = `END ${what}`) =>
      `-----BEGIN ${what}-----\n${text}\n------${end}------\n\n`;
    const seed = Buffer.from(keys.getSeed()).toString();
    writeFileSync(credsFile(user), part('NATS USER JWT', claim) + part('USER NKEY SEED', seed));
  }
  const operatorClaim = sign(operator, operator.getPublicKey(), 'operator', {
    ...{ type: 'operator', version: 2, system_account: systemKey },
  });
  const serverLines = [
    `operator: ${operatorClaim}`,
    `system_account: ${systemKey}`,
    'resolver: MEMORY',
    `resolver_preload: { ${accountKey}: ${accountClaim}, ${systemKey}: ${systemClaim} }`,
  ];
  return { serverLines, credsFile };
};
