// The permissions of each role on a run's servers, in the form of nats-server's configuration. A leader (and a standby)
// writes the log and sends to all hosts; a host publishes only under its own subject, and does not use JetStream; an
// operator requests status and moves. Each role has inboxes of its own, so that no role reads another's answers.

import { namesOf } from './names.js';

/** @typedef {'leader' | 'operator' | `host.${string}`} Role */

/** @param {string} run @param {Role} role */
export const inboxOf = (run, role) => `_INBOX.${run}.${role}`;

/**
 * The subjects of a role.
 *
 * @param {string} run
 * @param {Role} role
 * @returns {{ publish: string[], subscribe: string[], answers: boolean }}
 */
export const permissionsOf = (run, role) => {
  const names = namesOf(run);
  const inbox = `${inboxOf(run, role)}.>`;
  if (role.startsWith('host.')) {
    const host = role.slice('host.'.length);
    return {
      publish: [names.fromHost(host)],
      subscribe: [names.toHost(host), names.leader],
      answers: false,
    };
  }
  const api = '$JS.API';
  const blobs = `OBJ_${names.bucket}`;
  const reading = [
    ...[`${api}.INFO`, `${api}.STREAM.INFO.${names.stream}`],
    ...[`${api}.STREAM.MSG.GET.${names.stream}`, `${api}.DIRECT.GET.${names.stream}`],
  ];
  if (role === 'operator')
    return { publish: [names.ask, ...reading], subscribe: [inbox], answers: false };
  return {
    publish: [
      ...[names.log, names.leader, `swingset.${run}.to.*`, ...reading],
      ...[`${api}.STREAM.CREATE.${names.stream}`, `${api}.STREAM.CREATE.${blobs}`],
      ...[`${api}.STREAM.INFO.${blobs}`, `${api}.STREAM.PURGE.${blobs}`],
      ...[`${api}.STREAM.MSG.GET.${blobs}`],
      ...[`${api}.DIRECT.GET.${blobs}`, `${api}.DIRECT.GET.${blobs}.>`],
      ...[`${api}.CONSUMER.CREATE.${blobs}`, `${api}.CONSUMER.CREATE.${blobs}.>`],
      ...[`${api}.CONSUMER.INFO.${blobs}.>`, `${api}.CONSUMER.DELETE.${blobs}.>`],
      ...[`$JS.FC.${blobs}.>`, `$O.${names.bucket}.>`],
    ],
    subscribe: [names.fromHosts, names.ask, names.log, inbox],
    answers: true,
  };
};

/**
 * A configuration for nats-server, with a user for each role.
 *
 * @param {object} options
 * @param {string} options.run
 * @param {Record<string, string>} options.users  role → public nkey
 * @param {string} [options.listen]
 * @param {string} options.storeDir
 * @param {string} [options.syncInterval]  `always`: each record is on disk before its acknowledgement
 * @param {string} [options.portsDir]  the server writes a file with its port there
 */
export const writeServerConfig = ({
  run,
  users,
  listen = '0.0.0.0:4222',
  storeDir,
  syncInterval = 'always',
  portsDir,
}) => {
  const list = (/** @type {string[]} */ subjects) => JSON.stringify(subjects);
  const userLines = Object.entries(users).flatMap(([role, nkey]) => {
    const { publish, subscribe, answers } = permissionsOf(run, /** @type {Role} */ (role));
    return [
      `    # ${role}`,
      '    {',
      `      nkey: ${nkey}`,
      '      permissions: {',
      `        publish: { allow: ${list(publish)} }`,
      `        subscribe: { allow: ${list(subscribe)} }`,
      ...(answers ? ['        allow_responses: true'] : []),
      '      }',
      '    }',
    ];
  });
  return [
    `# The servers of run ${run}. Each role has a user of its own; docs/cluster.md says what each may do, and why.`,
    `listen: ${JSON.stringify(listen)}`,
    ...(portsDir === undefined ? [] : [`ports_file_dir: ${JSON.stringify(portsDir)}`]),
    'jetstream: {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    `  sync_interval: ${syncInterval}`,
    '}',
    'authorization: {',
    '  users: [',
    ...userLines,
    '  ]',
    '}',
    '',
  ].join('\n');
};
