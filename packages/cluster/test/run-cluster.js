// Whole runs within this process: leaders and hosts that speak over a cluster with faults, and the plain run to hold them against.

import path from 'node:path';
import { loadConfig, makeSimulation, runRounds } from '#host/session.js';
import { ByteReader, ByteWriter, ReactorReport } from '#model';
import { makeMemoryStore } from '#store';
import { readToLeader, writeToLeader } from '../host-messages.js';
import { host } from '../host.js';
import { lead } from '../lead.js';
import { makeLeaderService } from '../leader-service.js';
import { readPacket, writePacket } from '../link.js';

/** @import { LoadedConfig } from '#config/load-config.js' */
/** @import { Cluster } from '../interface.js' */
/** @import { ToLeader } from '../host-messages.js' */
/** @import { LeadOptions } from '../lead.js' */
/** @import { MemoryCluster } from './memory-cluster.js' */

const root = path.join(import.meta.dirname, '..', '..', '..');
const demos = path.join(root, 'demos');

/** A program with virtual and durable data, upgrades and a device, another one for each seed. */
export const virtualVats = path.join(root, 'test', 'fixtures', 'virtual-vats');

export const run = 'tested';
const version = '1.0.0';

/** @param {string} demo */
export const configOf = demo => loadConfig({ baseDir: path.join(demos, demo) });

/** @param {number} seed */
export const configOfVirtual = seed => loadConfig({ baseDir: virtualVats, argv: [String(seed)] });

/**
 * The activity hash of a run on one thread.
 *
 * @param {string | LoadedConfig} program  a demo, or any
 * @param {number} [rounds]
 * @param {LeadOptions['simulation']} [options]
 */
export const hashOfPlainRun = async (program, rounds, options) => {
  const store = makeMemoryStore();
  const config = typeof program === 'string' ? configOf(program) : program;
  const simulation = await makeSimulation(config, { store, ...options });
  await runRounds(simulation, { blockSize: 10, ...(rounds !== undefined && { rounds }) });
  const hash = simulation.activityHash();
  await simulation.close();
  return hash;
};

/**
 * @param {Cluster} cluster
 * @param {object} options
 * @param {string} [options.demo]
 * @param {string} [options.name]
 * @param {number} [options.hosts]
 * @param {number} [options.twins]
 * @param {number} [options.hostPatienceMs]
 * @param {Partial<LeadOptions>} [options.others]
 * @param {(line: string) => void} [options.tell]
 */
export const startLeader = (
  cluster,
  {
    demo = 'pingpong',
    name = 'leader',
    hosts = 0,
    twins = 1,
    hostPatienceMs,
    others,
    tell = () => {},
  },
) =>
  lead({
    ...{ cluster, run, leader: name, config: configOf(demo), version, local: makeMemoryStore() },
    ...{ leaseMs: 1_500, blockSize: 10, tell },
    serve: parts =>
      makeLeaderService(
        {
          ...{ cluster, leader: name, hosts, twins, tell },
          ...(hostPatienceMs !== undefined && { hostPatienceMs }),
        },
        parts,
      ),
    ...others,
  });

/** @param {Cluster} cluster @param {string} name @param {object} [options] */
export const startHost = (cluster, name, options = {}) =>
  host({ cluster, run, name, version, threads: 1, ...options });

/** A host leaves its session, and joins in another one. @param {MemoryCluster} memory @param {string} name */
export const confuse = (memory, name) =>
  memory.connect('other').publish(`swingset.${run}.to.${name}`, Uint8Array.of(255));

/**
 * A cluster that shows a host's messages to the leader, and may replace them.
 *
 * @param {Cluster} cluster
 * @param {(message: ToLeader) => ToLeader | ToLeader[] | void} change
 */
export const changeMessages = (cluster, change) => ({
  ...cluster,
  publish(/** @type {string} */ subject, /** @type {Uint8Array} */ bytes) {
    if (bytes[0] === 0x7b) return cluster.publish(subject, bytes);
    const packet = readPacket(bytes);
    const batch = new ByteWriter();
    for (const reader = new ByteReader(packet.piece); !reader.done;) {
      const message = reader.raw(reader.varint());
      const changed = change(readToLeader(message, () => new ReactorReport()));
      const written = changed === undefined ? [message] : [changed].flat().map(writeToLeader);
      for (const each of written) {
        batch.varint(each.length);
        batch.raw(each);
      }
    }
    return cluster.publish(subject, writePacket({ ...packet, piece: batch.view() }));
  },
});
