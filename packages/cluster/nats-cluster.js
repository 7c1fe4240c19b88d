// A cluster of NATS servers with JetStream. The client is an optional package, loaded when a cluster is asked for. JetStream's
// acknowledgement is what a block is committed by; what it is worth is up to the server's replicas and its `sync_interval`
// (docs/cluster.md), and what it loses all the same is found by the records' chain.

import { performance } from 'node:perf_hooks';
import { readFileSync } from 'node:fs';
import { quote, UserError } from '#model';
import { Unacknowledged } from './interface.js';
import { namesOf } from './names.js';
import { inboxOf } from './permissions.js';
import { explainConnection, explainNoJetStream, explainRequest, isMissing } from './nats-errors.js';
import { sha256Hex } from './record.js';

/** @import { Cluster, LogRecord, RunLog } from './interface.js' */
/** @import { Role } from './permissions.js' */

/** Reading many records in one request came with it. */
const oldestVersion = [2, 11];

/** Records in a request. */
const batchSize = 256;

const requestMs = 5_000;

const packages = '@nats-io/transport-node @nats-io/jetstream @nats-io/obj';

/**
 * @typedef {object} NatsOptions
 * @property {string} url  `nats://host:4222`, several with commas
 * @property {string} run
 * @property {string} [creds]  a file of credentials
 * @property {string} [nkey]  a file with the seed of an nkey
 * @property {string} [tlsCa]  a file with the certificate of who signed the server's
 * @property {string} [tlsCert]  and the user's own, with its key
 * @property {string} [tlsKey]
 * @property {number} [replicas]  of the stream and of the blobs, if they are made now; 1 by default
 * @property {Role} role
 */

const loadClient = async () => {
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

/** Makes keys of users. */
export const loadNkeys = async () => (await loadClient()).nkeys;

/** @param {string} file @param {string} flag */
const readSecret = (file, flag) => {
  try {
    return Uint8Array.from(readFileSync(file));
  } catch (error) {
    throw new UserError(`${flag} ${file} cannot be read: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  }
};

/**
 * @param {string} url
 * @returns {{ servers: string[], name: string, user?: string, pass?: string, isTls: boolean }}
 */
export const parseClusterUrl = url => {
  const parts = url.split(',').map(each => each.trim());
  const parsed = parts.map(each => {
    try {
      const found = new URL(each);
      if (found.protocol !== 'nats:' && found.protocol !== 'tls:') throw Error(found.protocol);
      if (found.hostname === '') throw Error('no host');
      return found;
    } catch (error) {
      throw new UserError(
        `--cluster ${quote(each)} is no address of a NATS server; give one as nats://localhost:4222 or tls://HOST:PORT`,
        { cause: error },
      );
    }
  });
  const [{ username, password }] = parsed;
  const servers = parsed.map(({ hostname, port }) => `${hostname}:${port || '4222'}`);
  return {
    servers,
    // Without the password.
    name: `nats://${servers.join(',')}`,
    isTls: parsed.some(({ protocol }) => protocol === 'tls:'),
    ...(username !== '' && {
      user: decodeURIComponent(username),
      pass: decodeURIComponent(password),
    }),
  };
};

/** @param {NatsOptions} options @param {Awaited<ReturnType<typeof loadClient>>} client */
const connectionOptions = (options, client) => {
  const { servers, isTls, user, pass } = parseClusterUrl(options.url);
  const { creds, nkey, tlsCa, tlsCert, tlsKey } = options;
  const hasTls = isTls || tlsCa !== undefined || tlsCert !== undefined;
  return {
    servers,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 50,
    timeout: requestMs,
    inboxPrefix: inboxOf(options.run, options.role),
    pingInterval: 5_000,
    ...(user !== undefined && { user, pass: pass ?? '' }),
    ...(creds !== undefined && {
      authenticator: client.credsAuthenticator(readCreds(creds)),
    }),
    ...(nkey !== undefined && {
      authenticator: client.nkeyAuthenticator(readSeed(nkey, client.nkeys)),
    }),
    ...(hasTls && {
      tls: {
        ...(tlsCa !== undefined && { ca: readText(tlsCa, '--tls-ca') }),
        ...(tlsCert !== undefined && { cert: readText(tlsCert, '--tls-cert') }),
        ...(tlsKey !== undefined && { key: readText(tlsKey, '--tls-key') }),
      },
    }),
  };
};

/** @param {string} file @param {string} flag */
const readText = (file, flag) => Buffer.from(readSecret(file, flag)).toString();

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
const insistVersion = (version, name) => {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1])) return;
  throw new UserError(
    `${name} is nats-server ${version}; version ${oldestVersion.join('.')} or later is needed`,
  );
};

/**
 * @param {NatsOptions} options
 * @returns {Promise<Cluster>}
 * @throws {UserError} the packages are not installed; no server, one too old, without JetStream, wrong credentials, …
 */
// eslint-disable-next-line max-lines-per-function -- methods of one connection, each some lines long, which share its streams and its subscriptions
export const connectNats = async options => {
  const { run, role, replicas = 1 } = options;
  const needsLog = !role.startsWith('host.');
  const names = namesOf(run);
  const { name } = parseClusterUrl(options.url);
  const client = await loadClient();
  /** @type {Awaited<ReturnType<typeof client.connect>>} */
  let connection;
  const wanted = connectionOptions(options, client);
  try {
    // The first connection is tried once; one that is lost is made again for as long as it takes.
    connection = await client.connect({ ...wanted, waitOnFirstConnect: false });
  } catch (error) {
    throw explainConnection(error, name, 'tls' in wanted);
  }
  const info = /** @type {NonNullable<typeof connection.info>} */ (connection.info);
  /** @type {Error | undefined} of which only the server knows which request it belongs to */
  let violation;
  /** @param {any} error */
  const explain = (error, what = `use run ${run}`) =>
    explainRequest(isTimeout(error) && violation !== undefined ? violation : error, name, what);
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error' && status.error.name === 'PermissionViolationError')
        violation = status.error;
  })();

  try {
    insistVersion(info.version, name);
    if (needsLog && info.jetstream !== true) throw explainNoJetStream(name);
  } catch (error) {
    await connection.close();
    throw error;
  }
  const js = client.jetstream(connection, { timeout: requestMs });
  const jsm = await client.jetstreamManager(connection, { checkAPI: false, timeout: requestMs });

  /**
   * @template T
   * @param {string} what
   * @param {() => Promise<T>} act
   */
  const ask = async (what, act) => {
    try {
      return await act();
    } catch (error) {
      throw explain(error, what);
    }
  };

  try {
    if (needsLog) await ask('use JetStream', () => jsm.getAccountInfo());
  } catch (error) {
    await connection.close();
    throw error instanceof Unacknowledged ? explainNoJetStream(name, error) : error;
  }

  const lastOf = () =>
    ask('look at the log', async () => (await jsm.streams.info(names.stream)).state.last_seq);

  /** @param {number} seq @returns {Promise<Uint8Array | undefined>} from the stream's leader */
  const getRecord = seq =>
    ask('read the log', async () => {
      try {
        return (await jsm.streams.getMessage(names.stream, { seq }))?.data;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });

  /** @param {number} from @returns {Promise<LogRecord[]>} from any replica: perhaps not all that are there */
  const getBatch = from =>
    ask('read the log', async () => {
      /** @type {LogRecord[]} */
      const found = [];
      const messages = await jsm.direct.getBatch(names.stream, { seq: from, batch: batchSize });
      for await (const { seq, data } of messages) found.push({ seq, bytes: data });
      return found;
    });

  /** @type {RunLog} */
  const log = Object.freeze({
    async append(bytes, last) {
      try {
        const expect = { lastSequence: last };
        const { seq } = await js.publish(names.log, bytes, { expect, timeout: requestMs });
        return seq;
      } catch (error) {
        throw explain(error, 'write to the log');
      }
    },
    last: lastOf,
    get: getRecord,
    async *read(from) {
      const end = await lastOf();
      for (let next = from; next <= end;) {
        const found = await getBatch(next);
        if (found.length === 0) {
          // A replica that lags behind does not have it yet; the leader does, unless it is lost.
          const bytes = await getRecord(next);
          if (bytes === undefined) return;
          found.push({ seq: next, bytes });
        }
        yield* found;
        next = found[found.length - 1].seq + 1;
      }
    },
    watch(onHint) {
      const subscription = connection.subscribe(names.log, { callback: () => onHint() });
      return () => subscription.unsubscribe();
    },
  });

  /** @returns {Promise<any>} */
  const blobs = once(async () => {
    const objects = new client.Objm(js);
    return ask('keep blobs', () =>
      objects.create(names.bucket, { storage: client.StorageType.File, replicas }),
    );
  });

  /** @type {Cluster} */
  const cluster = {
    name,
    maxBytes: info.max_payload - 512,
    async findLog() {
      try {
        await jsm.streams.info(names.stream);
        return log;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw explain(error, 'look at the log');
      }
    },
    async provideLog() {
      await ask('make the log', () =>
        jsm.streams.add({
          name: names.stream,
          subjects: [names.log],
          storage: client.StorageType.File,
          retention: client.RetentionPolicy.Limits,
          discard: client.DiscardPolicy.New,
          num_replicas: replicas,
          deny_delete: true,
          deny_purge: true,
          allow_direct: true,
        }),
      );
      return log;
    },
    async putBlob(bytes) {
      const name = sha256Hex(bytes);
      const store = await blobs();
      return ask('keep a blob', async () => {
        // A blob is what it is called, so one that is there need not be written again.
        const there = await store.info(name);
        if (there === null || there.deleted || there.size !== bytes.length)
          await store.putBlob({ name }, bytes);
        return name;
      });
    },
    async getBlob(blob) {
      const store = await blobs();
      return ask('read a blob', async () => (await store.getBlob(blob)) ?? undefined);
    },
    publish(subject, bytes) {
      if (!connection.isClosed()) connection.publish(subject, bytes);
    },
    subscribe(pattern, onMessage) {
      const subscription = connection.subscribe(pattern, {
        callback: (error, message) => {
          if (error !== null) return;
          const { reply } = message;
          onMessage(
            message.data,
            message.subject,
            reply ? bytes => void message.respond(bytes) : undefined,
          );
        },
      });
      return () => subscription.unsubscribe();
    },
    async request(subject, bytes, timeoutMs) {
      try {
        return (await connection.request(subject, bytes, { timeout: timeoutMs })).data;
      } catch (error) {
        const explained = explain(error, 'ask the leader');
        if (explained instanceof Unacknowledged) return undefined;
        throw explained;
      }
    },
    nowMs: () => performance.now(),
    async ready() {
      await connection.flush();
      if (violation !== undefined) throw explain(violation, `take part in run ${run}`);
    },
    async close() {
      if (connection.isClosed()) return;
      await connection.close();
    },
  };
  return Object.freeze(cluster);
};

/** @param {any} error */
const isTimeout = error => /timeout/i.test(`${error?.name} ${error?.message}`);

/** @template T @param {() => Promise<T>} act @returns {() => Promise<T>} as one that is tried again if it failed */
const once = act => {
  /** @type {Promise<T> | undefined} */
  let doing;
  return () => {
    doing ??= act().catch(error => {
      doing = undefined;
      throw error;
    });
    return doing;
  };
};
