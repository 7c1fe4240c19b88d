// Explains a failure of a NATS server in one line with a remedy. Node and the client report failures in many forms.

import { quote, UserError } from '#model';
import { LogConflict, Unacknowledged } from './interface.js';

/** Error codes of JetStream. */
const codes = Object.freeze({
  wrongLast: 10071,
  wrongLastUnknown: 10164,
  streamNotFound: 10059,
  noMessage: 10037,
  noMessageDirect: 404,
  notEnabled: 10076,
  notEnabledForAccount: 10039,
  noResources: 10023,
  memoryExceeded: 10028,
  storageExceeded: 10047,
  maxBytes: 10077,
  noPeers: 10005,
  nameInUse: 10058,
  subjectsOverlap: 10065,
  clusterNotAvailable: 10008,
  noLeader: 10009,
});

const full = new Set([
  ...[codes.noResources, codes.memoryExceeded, codes.storageExceeded, codes.maxBytes],
]);

/** Temporary failures: a server starts, or a stream elects its leader. */
const passing = new Set([codes.clusterNotAvailable, codes.noLeader]);

/** @param {string} message @param {unknown} cause @param {1 | 2} [exitCode] */
const userError = (message, cause, exitCode = 1) => new UserError(message, { exitCode, cause });

/**
 * Explain a failed connection.
 *
 * @param {any} error
 * @param {string} name  of the server
 * @param {boolean} hasTls  whether TLS was tried
 * @returns {unknown}
 */
export const explainConnection = (error, name, hasTls) => {
  const text = [error?.message, error?.cause?.message, error?.cause?.code]
    .filter(Boolean)
    .join(' ');
  if (error?.name === 'AuthorizationError' || /authoriz|authentication/i.test(text))
    return userError(
      `${name} refuses the credentials; give those of this role with --creds or --nkey, or user and password in the URL`,
      error,
      2,
    );
  if (/does not support 'tls'/.test(text))
    return userError(
      `${name} speaks no TLS; give its address as nats://HOST:PORT, without --tls-ca, --tls-cert and --tls-key, or set up TLS in its configuration`,
      error,
      2,
    );
  if (/unexpected response from server/.test(text))
    return userError(
      `${name} is no NATS server: it answers otherwise; name one with --cluster, as nats://localhost:4222`,
      error,
      2,
    );
  if (/provided an undefined error/.test(text))
    return userError(
      `${name} ends connections before it says anything; see its log, and if its TLS has handshake_first, set that to auto`,
      error,
      2,
    );
  const isThere = !/ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN/.test(text);
  if (hasTls && /timeout/i.test(text))
    return userError(
      `${name} did not answer over TLS in time; if it asks for a certificate, give one that its authority has signed, with --tls-cert and --tls-key`,
      error,
      2,
    );
  if (/certificate|self.signed|TLS|SSL/i.test(text) || (hasTls && isThere))
    return userError(
      `${name} cannot be spoken to over TLS: ${error.message}; name its certificate authority with --tls-ca, and, where it asks for one, your own certificate with --tls-cert and --tls-key`,
      error,
      2,
    );
  if (
    /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|EAI_AGAIN|TIMEOUT|ECONNRESET|refused/i.test(text)
  )
    return userError(
      `no NATS server answers at ${name}; start one (nats-server -js -sd DIRECTORY), or name another with --cluster`,
      error,
      2,
    );
  return userError(`${name} cannot be connected to: ${error?.message ?? error}`, error, 2);
};

/**
 * Explain a failed request, by an error for people or one that is retried.
 *
 * @param {any} error
 * @param {string} name  of the server
 * @param {string} what  the purpose of the request, for people
 * @returns {Error}
 */
export const explainRequest = (error, name, what) => {
  if (error instanceof UserError || error instanceof Unacknowledged) return error;
  const { code } = error ?? {};
  if (code === codes.wrongLast || code === codes.wrongLastUnknown)
    return new LogConflict(error.message);
  const permission = findPermissionError(error);
  if (permission !== undefined)
    return userError(
      `the user of ${name} may not ${permission.operation} ${quote(permission.subject)}, which is needed to ${what}; give it the permissions of this role (docs/cluster.md)`,
      error,
      2,
    );
  if (code === codes.notEnabled || code === codes.notEnabledForAccount)
    return explainNoJetStream(name, error);
  if (full.has(code) || /no space|insufficient|disk|exceeds/i.test(error?.message ?? ''))
    return userError(
      `${name} has no room left to ${what} (${error.message}); free space there, then the same command goes on with the run`,
      error,
    );
  if (/sealed stream/i.test(error?.message ?? ''))
    return userError(
      `${name} has sealed the log, and nothing can be written to it any more; bring back the stream from a backup, or begin the run anew under another --run`,
      error,
    );
  if (code === codes.noPeers)
    return userError(
      `${name} has too few servers to ${what} (${error.message}); start more, or give a smaller --replicas`,
      error,
    );
  if (code === codes.nameInUse || code === codes.subjectsOverlap)
    return userError(
      `${name} has a stream of this run's name or subject that is set up otherwise (${error.message}); choose another --run`,
      error,
    );
  if (
    passing.has(code) ||
    code === undefined ||
    code >= 500 ||
    /timeout|closed|disconnect/i.test(error.message)
  )
    return new Unacknowledged(error?.message ?? String(error));
  return userError(`${name} refuses to ${what}: ${error.message} (${code})`, error);
};

/** @param {string} name @param {unknown} [error] */
export const explainNoJetStream = (name, error) =>
  userError(
    `${name} has no JetStream for this account; start the server with -js, or enable JetStream for the account`,
    error,
    2,
  );

/**
 * Whether servers do not answer; an account without JetStream gets an immediate "no responders".
 *
 * @param {Unacknowledged} error
 */
export const isSilence = ({ message }) => /timeout|temporarily|no leader|lost/i.test(message);

/**
 * Explain why JetStream did not answer its first request: the account lacks JetStream, or too many servers are missing.
 *
 * @param {string} name
 * @param {Unacknowledged} error
 */
export const explainNoAnswer = (name, error) =>
  isSilence(error)
    ? userError(
        `JetStream at ${name} does not answer (${error.message}); most of its servers have to be there: start those that are missing`,
        error,
      )
    : explainNoJetStream(name, error);

/** @param {any} error @returns {{ operation: string, subject: string } | undefined} */
const findPermissionError = error => {
  for (let each = error; each; each = each.cause)
    if (each.name === 'PermissionViolationError')
      return {
        operation: each.operation === 'publish' ? 'publish to' : 'subscribe to',
        subject: each.subject,
      };
  return undefined;
};

/** Whether the client found a blob to be damaged. @param {any} error */
export const isCorrupt = error => /corrupt object|digest/i.test(error?.message ?? '');

/** Whether a stream or a record is missing. @param {any} error */
export const isMissing = error =>
  [codes.streamNotFound, codes.noMessage, codes.noMessageDirect].includes(error?.code);
