// Opens a session's config, state, logs and simulation.

import { UserError } from '#model';
import * as host from '#host/session.js';
import { startCrankAlarm } from './crank-alarm.js';
import { insistProfileFiles, startEngineProfiles } from './engine-profiles.js';
import { lockFolder, takeOutputFolder } from './folder.js';
import { vatArguments, openConfig, openMeter, openSessionState, openWatch } from './open-parts.js';
import { makeScreen } from './screen.js';
import { choosePlaces, insistFlags, insistOwnFiles, watchVariable } from './settings.js';
import { tellDifferences } from './tell-run.js';
import { makeVatErrors } from './vat-errors.js';
import { openVatLog } from './vat-log.js';
import { insistWatchFlags, watchCranks } from './watch.js';

/** @import { Flags } from '../cli.js' */

const baseDirKey = 'local.baseDir';

/**
 * @typedef {object} SessionKind
 * @property {'fresh' | 'continue'} usually  the default treatment of an existing state
 * @property {boolean} [logsAll]  write a stats file by default
 * @property {boolean} [answersLines]  with --json the command prints its own lines, and no result
 *   at the end
 * @property {boolean} [prints]  print the report, and write it and the graphs, by default
 * @property {import('#stats/render.js').Renderer} [renderer]  started already, for the graphs
 */

/**
 * @param {Flags} flags
 * @param {SessionKind} kind
 * @throws {UserError} if a flag, the config, the state or a vat is wrong; the state is then closed
 */
export const openRun = async (flags, { usually, logsAll = false, prints = false }) => {
  insistFlags(flags);
  insistWatchFlags(flags);
  const profileFiles = { cpu: flags['cpu-profile-output'], heap: flags['heap-profile-output'] };
  insistProfileFiles(profileFiles);
  const screen = makeScreen({ flags });
  const { groups, cycleMeter } = await openMeter(flags, logsAll, screen);
  const config = openConfig(flags);
  const places = choosePlaces(config, flags);
  insistOwnFiles(flags, places);
  const opened = await openSessionState(flags, { config, places, usually, screen });
  const { state, ...waiting } = opened;
  const { store, resume } = state;
  if (process.env[watchVariable] !== undefined) process.send?.('open');
  for (const notice of [...config.notices, ...places.notices]) screen.note(notice);

  const errors = makeVatErrors(screen);
  const vatLog = flags.vatlog === undefined ? undefined : openVatLog(flags.vatlog, resume);
  const clock = await host.openClock();
  const watchSignals = await host.loadSignalWatch();
  const watch = await openWatch(store, () =>
    watchCranks(flags, {
      ...{ name: places.name, outDir: places.outDir, resume, clock },
      ...(config.launchedVats && { launchedVats: config.launchedVats }),
    }),
  );
  const vatOutput = host.makeVatOutput({
    hasStacks: Boolean(flags.verbose),
    onError: errors.add,
    ...(vatLog && { onLog: vatLog.add }),
    ...(flags.verbose && { onPrint: line => screen.say(`${line}\n`) }),
  });

  const cacheDir = config.bundleCachePath ?? host.defaultCacheDir();
  const realTime = flags.realtime ? host.makeRealTime() : undefined;

  /** Whether the run writes to the default output folder. */
  const isOurFolder =
    flags.outdir === undefined &&
    Boolean(groups || prints || (!flags.memdb && flags.dbdir === undefined));
  const writesFiles = Boolean(groups || prints);
  let unlockFolder = () => {};

  const alarm = startCrankAlarm();
  const open = async () => {
    try {
      const simulation = await host.makeSimulation(config, {
        store,
        resume,
        observer: vatOutput.observer,
        cacheDir,
        engineFlags: 'speed',
        ...(flags['end-diverging'] && { endDiverging: true }),
        ...(flags.workers !== undefined && { workers: flags.workers }),
        ...(flags.lenient !== undefined && { lenient: flags.lenient }),
        ...watch.options,
        ...(flags.profile !== undefined && { profile: flags.profile }),
        // Waiting and lateness are measured by the same clock.
        ...(realTime && { clock: realTime.clock }),
      });
      try {
        if (isOurFolder) takeOutputFolder(places.outDir, config.baseDir);
        if (writesFiles) unlockFolder = lockFolder(places.outDir);
      } catch (error) {
        await simulation.close();
        throw error;
      }
      return simulation;
    } catch (error) {
      const explained = errors.explainStart(error);
      errors.tell();
      await store.close();
      vatLog?.close();
      watch.close();
      alarm.close();
      await endProfiles();
      throw explained;
    }
  };
  const endProfiles = await startEngineProfiles(profileFiles, screen.note);
  const simulation = await open();
  if (flags.indirect && simulation.launches === undefined) {
    await simulation.close();
    throw new UserError(
      'the state was made without --indirect; leave it out to resume, or start anew with --init',
    );
  }
  for (const notice of simulation.notices) screen.note(notice);
  if (resume) {
    // A state that was made with --indirect is resumed without the flag, too.
    const isIndirect = simulation.launches !== undefined;
    const compared = isIndirect ? openConfig({ ...flags, indirect: true }) : config;
    if (isIndirect)
      screen.tell(
        "the state was made with --indirect: it is not compared with the sources of the directory's vats, and keeps its own",
      );
    const argv = vatArguments(flags);
    tellDifferences(
      await host.compareResumed(simulation.kernel, compared, { cacheDir, argv }),
      screen,
    );
  }
  if (!resume) simulation.kernel.setHostValue(baseDirKey, config.baseDir);
  return {
    ...{ simulation, screen, places, state, errors, vatLog, watch, vatOutput, watchSignals },
    ...{ clock, realTime, groups, cycleMeter, isOurFolder, waiting, endProfiles, unlockFolder },
    alarm,
  };
};

/** @typedef {Awaited<ReturnType<typeof openRun>>} OpenRun */
