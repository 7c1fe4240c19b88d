// The connection to a NATS server: its address, TLS, the user's credentials, and how it connects again.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Fail, insistEnds, quote, UserError } from '#model';
import { boundSilence } from './silent-sockets.js';
import { inboxOf } from './permissions.js';

/** @import { Role } from './permissions.js' */

/** The first version that can read many records in one request. */
const oldestVersion = [2, 11];

/** Bound on the bytes of a message that a server must take at least: more than any message that is not cut to fit. */
const leastMessageBytes = 16 * 1024;

/** How long a server may take to answer. */
export const requestMs = 5_000;

/** Pause before connecting again, and a random addition, so that not all clients come at once. */
const reconnectMs = 250;
const reconnectJitterMs = 50;

/** How long after the client's timeout a silent connection is closed: the client must report the timeout first. */
const closesLaterMs = 200;

const packages = '@nats-io/transport-node @nats-io/jetstream @nats-io/obj';

/**
 * @typedef {object} NatsOptions
 * @property {string} url  `nats://host:4222`, several with commas
 * @property {string} run
 * @property {string} [creds]  a file of credentials
 * @property {string} [nkey]  a file with the seed of an nkey
 * @property {string} [tlsCa]  a file with the certificate of the authority that signed the server's
 * @property {string} [tlsCert]  a file with the user's certificate
 * @property {string} [tlsKey]
 * @property {number} [replicas]  of the stream and of the blobs, if they are made now; default: 1
 * @property {(line: string) => void} [tell]  gets a line if the log has another number of replicas
 * @property {Role} role
 */

export const loadClient = async () => {
  try {
    const [transport, jetstream, obj] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
      import('@nats-io/obj'),
    ]);
    return { ...transport, ...jetstream, Objm: obj.Objm };
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError(
      `a cluster needs packages that are not installed: npm install ${packages}`,
      {
        cause: error,
      },
    );
  }
};

/** The library that makes keys of users. */
export const loadNkeys = async () => (await loadClient()).nkeys;

/** @param {string} file @param {string} flag */
const readSecret = (file, flag) => {
  try {
    insistEnds(statSync(file), file);
    return Uint8Array.from(readFileSync(file));
  } catch (error) {
    throw new UserError(`${flag} ${file} cannot be read: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  }
};

/** An address without user and password, to be shown. @param {string} address */
const withoutUser = address => address.replace(/\/\/[^/]*@/, '//');

/**
 * @param {string} url
 * @returns {{ servers: string[], name: string, user?: string, pass?: string, isTls: boolean }}
 * @throws {UserError} if a part is no address of a NATS server
 */
export const parseClusterUrl = url => {
  const parts = url.split(',').map(each => each.trim());
  const parsed = parts.map(each => {
    try {
      const { protocol, hostname, port, username, password } = new URL(each);
      if (protocol !== 'nats:' && protocol !== 'tls:') throw Error(protocol);
      if (hostname === '') throw Error('no host');
      const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
      return { server: `${hostname}:${port || '4222'}`, isTls: protocol === 'tls:', user, pass };
    } catch (error) {
      throw new UserError(
        `--cluster ${quote(withoutUser(each))} is no address of a NATS server; give one as nats://localhost:4222 or tls://HOST:PORT`,
        { cause: error },
      );
    }
  });
  const [{ user, pass }] = parsed;
  const servers = parsed.map(({ server }) => server);
  return {
    servers,
    // The name must not have the password.
    name: `nats://${servers.join(',')}`,
    isTls: parsed.some(({ isTls }) => isTls),
    ...(user !== '' && { user, pass }),
  };
};

/**
 * @param {NatsOptions} options
 * @param {Awaited<ReturnType<typeof loadClient>>} client
 * @param {object} asks
 * @param {() => boolean} asks.isFirst  whether there was no connection before
 * @param {() => boolean} asks.isClosed  whether the caller has closed the connection
 */
export const connectionOptions = (options, client, { isFirst, isClosed }) => {
  const { servers, isTls, user, pass } = parseClusterUrl(options.url);
  const { creds, nkey, tlsCa, tlsCert, tlsKey } = options;
  // A client that is closed during the pause before it connects again does so at once and would keep the process alive.
  // It calls this function first: the error makes it give up when the server's timeout is over.
  const authenticators = [
    () => {
      if (isClosed()) throw Error('the connection was closed');
      return /** @type {any} */ ({});
    },
    ...(creds === undefined ? [] : [client.credsAuthenticator(readCreds(creds))]),
    ...(nkey === undefined ? [] : [client.nkeyAuthenticator(readSeed(nkey, client.nkeys))]),
  ];
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UserError(
      `--tls-cert and --tls-key go together; --tls-${tlsKey === undefined ? 'key' : 'cert'} is missing`,
    );
  if (tlsCert !== undefined && tlsKey !== undefined) insistPair(tlsCert, tlsKey);
  const hasTls = isTls || tlsCa !== undefined || tlsCert !== undefined;
  return {
    servers,
    maxReconnectAttempts: -1,
    // The client measures its own pauses by the wall clock, so a clock that is set back by an hour would delay it by an
    // hour. So its own pause is 0, and it pauses by a timer where it chooses a server.
    reconnectDelayHandler: () => -Infinity,
    reconnectToServer: (/** @type {readonly any[]} */ [server]) => {
      boundSilence(Number(server.port), requestMs + closesLaterMs);
      return { server, delay: isFirst() ? 0 : reconnectMs + Math.random() * reconnectJitterMs };
    },
    timeout: requestMs,
    inboxPrefix: inboxOf(options.run, options.role),
    pingInterval: 5_000,
    ...(user !== undefined && { user, pass: pass ?? '' }),
    authenticator: authenticators,
    ...(hasTls && {
      tls: {
        ...(tlsCa !== undefined && { ca: readCertificates(tlsCa, '--tls-ca') }),
        ...(tlsCert !== undefined && { cert: readCertificates(tlsCert, '--tls-cert') }),
        ...(tlsKey !== undefined && { key: readKey(tlsKey) }),
      },
    }),
  };
};

/** @param {string} file @param {string} flag */
const readText = (file, flag) => Buffer.from(readSecret(file, flag)).toString();

/** A certificate as PEM has it. */
const certificatePattern = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

/** @param {string} file @param {string} flag */
const readCertificates = (file, flag) => {
  const text = readText(file, flag);
  try {
    const found = text.match(certificatePattern) ?? Fail`there is none`;
    for (const each of found) new X509Certificate(each);
  } catch (error) {
    throw new UserError(
      `${flag} ${file} holds no certificate: PEM is expected, which begins with -----BEGIN CERTIFICATE-----`,
      { cause: error },
    );
  }
  return text;
};

/** @param {string} file */
const readKey = file => {
  const text = readText(file, '--tls-key');
  try {
    createPrivateKey(text);
  } catch (error) {
    throw new UserError(
      `--tls-key ${file} holds no private key: PEM without a passphrase is expected, which begins with -----BEGIN PRIVATE KEY-----`,
      { cause: error },
    );
  }
  return text;
};

/** Insist that a key is that of a certificate. @param {string} certFile @param {string} keyFile */
const insistPair = (certFile, keyFile) => {
  const certificate = new X509Certificate(readCertificates(certFile, '--tls-cert'));
  if (certificate.checkPrivateKey(createPrivateKey(readKey(keyFile)))) return;
  throw new UserError(
    `--tls-key ${keyFile} is not the key of --tls-cert ${certFile}; give both of one user`,
  );
};

/** @param {string} file */
const readCreds = file => {
  const bytes = readSecret(file, '--creds');
  const text = Buffer.from(bytes).toString();
  if (/BEGIN NATS USER JWT/.test(text) && /BEGIN USER NKEY SEED/.test(text)) return bytes;
  throw new UserError(
    `--creds ${file} holds no credentials: a user's JWT and seed, as nsc writes them, are expected`,
  );
};

/** @param {string} file @param {{ fromSeed: (seed: Uint8Array) => unknown }} nkeys */
const readSeed = (file, nkeys) => {
  const bytes = readSecret(file, '--nkey');
  const seed = Uint8Array.from(Buffer.from(Buffer.from(bytes).toString().trim()));
  try {
    nkeys.fromSeed(seed);
  } catch (error) {
    throw new UserError(
      `--nkey ${file} holds no seed of a user: one line is expected that begins with SU`,
      { cause: error },
    );
  }
  return seed;
};

/** @param {string} version @param {string} name */
export const insistVersion = (version, name) => {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1])) return;
  throw new UserError(
    `${name} is nats-server ${version}; version ${oldestVersion.join('.')} or later is needed`,
  );
};

/**
 * Insist that a server takes messages that are long enough.
 *
 * @param {number} bytes  its bound
 * @param {string} name
 */
export const insistMessageBytes = (bytes, name) => {
  if (bytes >= leastMessageBytes) return;
  throw new UserError(
    `${name} takes messages of at most ${bytes} bytes; set max_payload to ${leastMessageBytes} or more in its configuration (its default is 1MB)`,
  );
};
