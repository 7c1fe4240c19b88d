// A cluster of NATS servers with JetStream. The client is an optional package, loaded on demand. JetStream's
// acknowledgement commits a block; its durability depends on the server's replicas and its `sync_interval`
// (docs/cluster.md), and the records' chain detects losses.

import { performance } from 'node:perf_hooks';
import { Unacknowledged } from './interface.js';
import { namesOf } from './names.js';
import {
  connectionOptions,
  insistMessageBytes,
  insistVersion,
  loadClient,
  parseClusterUrl,
  requestMs,
} from './nats-connection.js';
import {
  explainConnection,
  explainNoJetStream,
  explainRequest,
  explainNoAnswer,
  isCorrupt,
  isMissing,
  isSilence,
} from './nats-errors.js';
import { sha256Hex } from './record.js';

/** @import { Cluster, LogRecord, RunLog } from './interface.js' */
/** @import { NatsOptions } from './nats-connection.js' */

/** Records per request. */
const batchSize = 256;

/** How long the parts of a blob may take; the client would wait forever for a lost part. */
const blobMs = 30_000;

/** How long until a connection that was lost is asked again. */
const againMs = 50;

/** How long servers may take to elect a leader of JetStream. */
const startingMs = 15_000;

/**
 * @param {NatsOptions} options
 * @returns {Promise<Cluster>}
 * @throws {UserError} if the packages are not installed, or the server does not answer, is too old, lacks JetStream,
 *   takes too short messages only or refuses the credentials
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
  let isFirst = true;
  let isClosed = false;
  const wanted = connectionOptions(options, client, {
    isFirst: () => isFirst,
    isClosed: () => isClosed,
  });
  try {
    // The first connection is tried once; a lost one is retried without a bound.
    connection = await client.connect({ ...wanted, waitOnFirstConnect: false });
  } catch (error) {
    throw explainConnection(error, name, 'tls' in wanted);
  }
  isFirst = false;
  const info = /** @type {NonNullable<typeof connection.info>} */ (connection.info);
  /** @type {Error | undefined} the last permission error; the server does not say for which request */
  let violation;
  let isUp = true;
  /** Callbacks that reject the waiting requests of this connection. @type {Set<(error: Error) => void>} */
  const waiting = new Set();
  /** @param {any} error */
  const explain = (error, what = `use run ${run}`) =>
    explainRequest(isTimeout(error) && violation !== undefined ? violation : error, name, what);
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error' && status.error.name === 'PermissionViolationError')
        violation = status.error;
      if (status.type === 'reconnect') isUp = true;
      if (status.type !== 'disconnect') continue;
      isUp = false;
      for (const reject of waiting) reject(new Unacknowledged(connectionLost));
    }
  })();

  /**
   * Reject a request when the connection is or gets lost: it would get no answer, and need not wait for its timeout.
   *
   * @template T
   * @param {() => Promise<T>} act
   * @returns {Promise<T>}
   */
  const whileConnected = act =>
    new Promise((resolve, reject) => {
      if (!isUp) {
        reject(new Unacknowledged(connectionLost));
        return;
      }
      waiting.add(reject);
      act()
        .then(resolve, reject)
        .finally(() => waiting.delete(reject));
    });

  try {
    insistVersion(info.version, name);
    insistMessageBytes(info.max_payload, name);
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
      return await whileConnected(act);
    } catch (error) {
      throw explain(error, what);
    }
  };

  try {
    if (needsLog) await whileStarting(() => ask('use JetStream', () => jsm.getAccountInfo()));
  } catch (error) {
    await connection.close();
    throw error instanceof Unacknowledged ? explainNoAnswer(name, error) : error;
  }

  const lastOf = () =>
    ask('look at the log', async () => {
      try {
        return (await jsm.streams.info(names.stream)).state.last_seq;
      } catch (error) {
        // A stream that was removed has no records.
        if (isMissing(error)) return 0;
        throw error;
      }
    });

  /** @param {number} seq @returns {Promise<Uint8Array | undefined>} read from the stream's leader */
  const getRecord = seq =>
    ask('read the log', async () => {
      try {
        return (await jsm.streams.getMessage(names.stream, { seq }))?.data;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });

  /** @param {number} from @returns {Promise<LogRecord[]>} read from any replica, which may lack the newest */
  const getBatch = from =>
    ask('read the log', async () => {
      /** @type {LogRecord[]} */
      const found = [];
      try {
        const messages = await jsm.direct.getBatch(names.stream, { seq: from, batch: batchSize });
        for await (const { seq, data } of messages) found.push({ seq, bytes: data });
      } catch (error) {
        // A lagging replica that has no record from there on returns an error.
        if (!isMissing(error)) throw error;
      }
      return found;
    });

  /** @type {RunLog} */
  const log = Object.freeze({
    append: (bytes, last) =>
      ask('write to the log', async () => {
        const expect = { lastSequence: last };
        const { seq } = await js.publish(names.log, bytes, { expect, timeout: requestMs });
        return seq;
      }),
    last: lastOf,
    get: getRecord,
    async *read(from) {
      const end = await lastOf();
      for (let next = from; next <= end;) {
        const found = await getBatch(next);
        if (found.length === 0) {
          // A lagging replica may lack the record; the stream's leader has it, unless it is lost.
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

  let isCompared = false;

  /** Report once that the log has another number of replicas than requested. @param {number} found */
  const compareReplicas = found => {
    if (isCompared) return;
    isCompared = true;
    if (options.replicas === undefined || options.replicas === found) return;
    const edits = [names.stream, `OBJ_${names.bucket}`]
      .map(stream => `nats stream edit ${stream} --replicas ${replicas}`)
      .join(' && ');
    const servers = found === 1 ? '1 server' : `${found} servers`;
    options.tell?.(
      `run ${run} keeps its log on ${servers}, not on ${replicas}; to change it: ${edits}`,
    );
  };

  /** @type {Cluster} */
  const cluster = {
    name,
    maxBytes: info.max_payload - 512,
    async findLog() {
      try {
        const { config } = await whileConnected(() => jsm.streams.info(names.stream));
        compareReplicas(config.num_replicas);
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
        // A blob is named by its hash, so an existing one need not be written again.
        const there = await store.info(name);
        if (there === null || there.deleted || there.size !== bytes.length)
          await store.putBlob({ name }, bytes);
        return name;
      });
    },
    async getBlob(blob, length) {
      const store = await blobs();
      return ask('read a blob', async () => {
        try {
          const info = await timely(store.info(blob), blobMs);
          if (info !== null && !info.deleted && info.size !== length) return new Uint8Array();
          const bytes = await timely(store.getBlob(blob), blobMs);
          return bytes ?? undefined;
        } catch (error) {
          // A damaged blob counts as empty.
          if (isCorrupt(error)) return new Uint8Array();
          throw error;
        }
      });
    },
    publish(subject, bytes) {
      if (!connection.isClosed()) connection.publish(subject, bytes);
    },
    subscribe(pattern, onMessage) {
      const subscription = connection.subscribe(pattern, {
        callback: (error, message) => {
          if (error !== null) return;
          const { data, reply } = message;
          const answer = (/** @type {Uint8Array} */ bytes) =>
            void cluster.publish(reply ?? '', bytes);
          onMessage(data, message.subject, reply ? answer : undefined);
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
      for (;;) {
        try {
          await whileConnected(() => connection.flush());
          break;
        } catch (error) {
          // A connection that is lost meanwhile is made again, with its subscriptions.
          if (connection.isClosed()) throw error;
          await new Promise(resolve => void setTimeout(resolve, againMs));
        }
      }
      // The client reports an error after the messages that followed it.
      await new Promise(resolve => void setImmediate(resolve));
      if (violation !== undefined) throw explain(violation, `take part in run ${run}`);
    },
    async close() {
      isClosed = true;
      if (connection.isClosed()) return;
      await connection.close();
    },
  };
  return Object.freeze(cluster);
};

const connectionLost = 'the connection is lost';

/**
 * Retry while servers that have just started elect a leader of JetStream, and so do not answer.
 *
 * @param {() => Promise<unknown>} ask
 */
const whileStarting = async ask => {
  const begunMs = performance.now();
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      const isOver = performance.now() - begunMs > startingMs;
      if (!(error instanceof Unacknowledged) || !isSilence(error) || isOver) throw error;
      await new Promise(resolve => void setTimeout(resolve, 250));
    }
  }
};

/**
 * @template T
 * @param {Promise<T>} doing
 * @param {number} ms
 * @returns {Promise<T>}
 */
const timely = async (doing, ms) => {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(Error(`timeout: nothing has come for ${ms / 1000} s`)), ms);
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([doing, late]));
  } finally {
    clearTimeout(timer);
  }
};

/** @param {any} error */
const isTimeout = error => /timeout/i.test(`${error?.name} ${error?.message}`);

/** @template T @param {() => Promise<T>} act @returns {() => Promise<T>} memoised; a failed call is repeated */
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
