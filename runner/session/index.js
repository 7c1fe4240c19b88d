// A session: everything that a command opens before it runs cranks, and closes after. Its methods are what the
// commands are made of.

import { formatExactDuration, UserError } from '#model';
import * as host from '#host/session.js';
import { describeMachine } from '#measure/machine.js';
import { reportJson } from '#stats/report.js';
import { demosDir } from '../demos-dir.js';
import { formatJson } from '../output.js';
import { insistProfileFiles, startEngineProfiles } from './engine-profiles.js';
import { startCrankAlarm } from './crank-alarm.js';
import { watchInterrupts } from './interrupt.js';
import { takeOutputFolder } from './folder.js';
import { makeProgress } from './progress.js';
import { startRecording } from './recording.js';
import { makeScreen } from './screen.js';
import { chooseGroups, choosePlaces, chooseStart, insistFlags } from './settings.js';
import { resumeCommand } from './settings.js';
import { openVatLog } from './vat-log.js';
import { insistWatchFlags, watchCranks } from './watch.js';
import { removeReports, tellOutcome, writeReport } from './conclusion.js';

/** @import { Flags } from '../cli.js' */
/** @import { BlockTaken, Progress } from '#host' */
/** @import { Screen } from './screen.js' */

const baseDirKey = 'local.baseDir';

const nsPerMs = 1_000_000;

/**
 * @typedef {object} SessionKind
 * @property {'fresh' | 'continue'} usually  what is done with a state that is there, if no flag says
 * @property {boolean} [logsAll]  write a stats file if no flag says
 * @property {boolean} [answersLines]  with --json the command says lines of its own, and no result at the end
 * @property {boolean} [prints]  print the report, and write it and the graphs, if no flag says
 */

/**
 * @param {Flags} flags
 * @param {SessionKind} kind
 */
export const openSession = async (
  flags,
  { usually, logsAll = false, prints = false, answersLines = false },
  // eslint-disable-next-line max-lines-per-function -- what a run of the command opens it closes in reverse order, here
) => {
  insistFlags(flags);
  insistWatchFlags(flags);
  const profileFiles = { cpu: flags['cpu-profile-output'], heap: flags['heap-profile-output'] };
  insistProfileFiles(profileFiles);
  const asked = chooseStart(flags);
  const screen = makeScreen({ flags });
  const { groups, cycleMeter } = await openMeters(flags, logsAll, screen);

  const config = host.loadConfig({
    ...(flags.basedir !== undefined && { baseDir: flags.basedir }),
    ...(flags.config !== undefined && { configFile: flags.config }),
    ...(flags.indirect && { indirect: true }),
    ...(flags['--'] !== undefined && { argv: flags['--'].map(String) }),
    demosDir,
  });
  const places = choosePlaces(config, flags);
  const waits = !flags.memdb && flags.durability === 'commit' && flags.keepawake === true;
  const { keepAwake, reason } = waits ? await host.openKeepAwake() : {};
  if (reason !== undefined)
    screen.note(`--keepawake: the core may sleep while the disk is waited for: ${reason}`);
  const state = await host.openState({
    kind: flags.memdb ? 'memory' : 'lmdb',
    dir: places.stateDir,
    isNamed: flags.dbdir !== undefined,
    usually,
    durability: flags.durability,
    ...(keepAwake && { beforeWait: keepAwake }),
    onLoss: screen.tell,
    baseDir: config.baseDir,
    ...(asked !== undefined && { asked }),
  });
  const { store, resume } = state;
  if (flags['end-diverging'] && !resume) {
    await store.close();
    throw new UserError('--end-diverging is for a state that is resumed; give --resume');
  }
  for (const notice of [...config.notices, ...places.notices]) screen.note(notice);

  /** Errors wait for the end of their block, where they are shown in order. @type {{ text: string, line: string }[]} */
  let errors = [];
  const vatLog = flags.vatlog === undefined ? undefined : openVatLog(flags.vatlog, resume);
  const clock = await host.openClock();
  const watchSignals = await host.loadSignalWatch();
  const watch = await openWatch(store, () =>
    watchCranks(flags, { name: places.name, outDir: places.outDir, resume, clock }),
  );
  const vatOutput = host.makeVatOutput({
    hasStacks: Boolean(flags.verbose),
    onError: (text, line) => errors.push({ text, line }),
    ...(vatLog && { onLog: vatLog.add }),
    ...(flags.verbose && { onPrint: line => screen.say(`${line}\n`) }),
  });
  const tellErrors = () => {
    if (errors.length === 0) return;
    for (const { text } of errors) screen.tell(text);
    errors = [];
  };

  /**
   * A vat that did not start, in one line with the place, which the vat's own error knows.
   *
   * @param {unknown} error
   */
  const explainStart = error => {
    const vatName = findVatThatDidNotStart(error);
    const start = `vat ${vatName}: `;
    const told = errors.findLast(({ line }) => line.startsWith(start));
    if (vatName === undefined || told === undefined) return error;
    // Shown twice only if it has more places than one line can hold.
    errors = errors.filter(each => each !== told || each.text.includes('\n'));
    const [what] = told.line.slice(start.length).split('\n');
    const plain = what.replace(/^UserError: (vat "[^"]*" does not start: )?/, '');
    return new UserError(`vat ${vatName} did not start: ${plain}`, { exitCode: 1, cause: error });
  };

  const realTime = flags.realtime ? host.makeRealTime() : undefined;

  /** Something is written, and where is up to us. */
  const isOurFolder =
    flags.outdir === undefined &&
    Boolean(groups || prints || (!flags.memdb && flags.dbdir === undefined));

  const open = async () => {
    try {
      const simulation = await host.makeSimulation(config, {
        store,
        resume,
        observer: vatOutput.observer,
        cacheDir: config.bundleCachePath ?? host.defaultCacheDir(),
        engineFlags: 'speed',
        ...(flags['end-diverging'] && { endDiverging: true }),
        ...(flags.workers !== undefined && { workers: flags.workers }),
        ...(flags.lenient !== undefined && { lenient: flags.lenient }),
        ...watch.options,
        ...(flags.profile !== undefined && { profile: flags.profile }),
        // What waits and what is late go by one clock.
        ...(realTime && { clock: realTime.clock }),
      });
      if (isOurFolder) takeOutputFolder(places.outDir, config.baseDir);
      return simulation;
    } catch (error) {
      const explained = explainStart(error);
      tellErrors();
      await store.close();
      vatLog?.close();
      watch.close();
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
    const argv = flags['--'] && flags['--'].map(String);
    const cacheDir = config.bundleCachePath ?? host.defaultCacheDir();
    const differences = await host.compareResumed(simulation.kernel, config, { cacheDir, argv });
    tellDifferences(differences, screen);
  }
  if (!resume) simulation.kernel.setHostValue(baseDirKey, config.baseDir);
  const begun = host.readProgress(simulation.kernel);

  /** @type {ReturnType<typeof startRecording> | undefined} */
  let recording;
  const record = () => {
    recording ??=
      groups &&
      startRecording(simulation, {
        path: places.statsFile,
        groups,
        resumeAfterBlock: resume ? begun.blocks : undefined,
      });
    return recording;
  };

  const progress = makeProgress(screen, simulation);
  const interrupts = watchInterrupts(
    () => screen.note('stopping when the block is committed; Ctrl-C again ends at once'),
    {
      ...{ findWork: simulation.atWork, workBytes: simulation.workBytes },
      ...{ beforeEnd: screen.clear, watchSignals },
      startAlarm: signal =>
        startCrankAlarm({
          ...{
            board: simulation.workShared,
            slotBytes: host.workSlotBytes,
            places: host.workPlaces,
          },
          ...{ signal, endAfterMs: (flags['max-crank-time'] ?? Infinity) / nsPerMs },
        }),
    },
  );

  const describeHash = () => `activity hash: ${simulation.activityHash()}`;
  const tellsHashes = Boolean(flags.activityhash && flags.verbose);
  /** Prints the hash of a run that has no report. */
  const tellHash = () => {
    if (flags.activityhash) screen.print(`${describeHash()}\n`);
  };

  /** @param {BlockTaken} taken @param {Progress} now */
  const onBlock = (taken, now) => {
    recording?.row(taken, now);
    if (tellsHashes) screen.say(`block ${now.blocks}: ${describeHash()}\n`);
    vatLog?.flush();
    if (errors.length > 0) tellErrors();
    progress.tick(now);
  };
  const replaceState = () => {
    state.open();
    if (isOurFolder && !resume) removeReports(places);
  };
  const blockOptions = {
    blockSize: flags.blocksize,
    commitsBlocks: flags.blockmode,
    forceGc: flags.forcegc ?? false,
    clock,
    ...(cycleMeter && { cycleMeter }),
    ...(realTime && { realTime }),
    ...(flags.until !== undefined && { untilNs: flags.until }),
    ...(flags['max-cranks'] !== undefined && { maxCranksInAll: flags['max-cranks'] }),
    ...(flags['max-microsteps'] !== undefined && { maxMicrosteps: flags['max-microsteps'] }),
    prepareCommit: replaceState,
    shouldStop: interrupts.shouldStop,
    onBlock,
  };

  const rethrowExplained = (/** @type {unknown} */ error) => {
    throw explainStart(error);
  };
  const settleOutput = () => {
    vatLog?.flush();
    screen.clear();
    tellErrors();
  };
  /** Describes a run that `--until` ended. */
  const describeUntil = () =>
    `logical time is at its end, --until ${formatExactDuration(flags.until)}; next is ${simulation.kernel.describeNext()}, at ${formatExactDuration(simulation.kernel.nextTimeNs ?? 0)}`;

  const describeQueue = () =>
    flags.until !== undefined && (simulation.kernel.nextTimeNs ?? 0) > flags.until
      ? `more is queued, behind --until ${formatExactDuration(flags.until)}`
      : 'more is queued';

  const tellResume = () =>
    screen.note(
      flags.memdb ? '--memdb keeps nothing' : `go on with: ${resumeCommand(process.argv)}`,
    );

  const tellFinished = () =>
    screen.note(
      `the run in ${places.stateDir} is finished, and nothing is left to do; --benchmark N does more rounds, --init begins anew`,
    );

  /** With --json: the one value on standard output. @param {Record<string, unknown>} told */
  const giveJson = told => {
    if (!flags.json || answersLines) return;
    screen.print(
      formatJson({
        ...{ exitCode: process.exitCode ?? 0, state: flags.memdb ? null : places.stateDir },
        ...{ cranks: simulation.cranks.all, isQuiet: simulation.isQuiet },
        ...{ activityHash: simulation.activityHash(), ...told },
      }),
      { isResult: true },
    );
  };

  return Object.freeze({
    simulation,
    screen,
    blockOptions,
    interrupts,

    /** Make the state, and run nothing. */
    async commitStart() {
      replaceState();
      await simulation.commit();
      tellHash();
      screen.note(`the state is in ${places.stateDir}`);
      tellResume();
      giveJson({ outcome: 'made' });
    },

    /** Setup and rounds, or what is left of them. */
    async runRounds() {
      if (
        resume &&
        host.isFinished(begun) &&
        (flags.benchmark ?? 0) <= begun.done &&
        simulation.isQuiet
      )
        tellFinished();
      record();
      const outcome = await host
        .runRounds(simulation, {
          ...blockOptions,
          ...(flags.benchmark !== undefined && { rounds: flags.benchmark }),
        })
        .catch(rethrowExplained);
      settleOutput();
      progress.end(host.readProgress(simulation.kernel));
      if (outcome === 'stopped') {
        screen.note('stopped; everything up to here is committed');
        tellHash();
        tellResume();
        process.exitCode = interrupts.exitCode;
        giveJson({ outcome: 'stopped' });
      }
      if (outcome === 'until') {
        simulation.kernel.setHostValue(host.endedKey, 'until');
        await simulation.commit();
        screen.note(describeUntil());
        screen.note(
          flags.memdb ? '--memdb keeps nothing' : 'to go on, give a later --until and --resume',
        );
      }
      return outcome;
    },

    /** @param {number} cranks  at most */
    async runSome(cranks) {
      record();
      if (resume && simulation.isQuiet && host.isFinished(begun)) tellFinished();
      const options = { ...blockOptions, maxCranks: cranks };
      const ran = await host.runSome(simulation, options).catch(rethrowExplained);
      await simulation.commit();
      settleOutput();
      const rest = simulation.isQuiet ? 'nothing is queued' : describeQueue();
      screen.note(`ran ${ran} ${ran === 1 ? 'crank' : 'cranks'}; ${rest}`);
      return ran;
    },

    settleOutput,

    /**
     * Report, files, graphs and exit code.
     *
     * @param {Record<string, unknown>} [told]  of the command, for JSON
     */
    async conclude(told = {}) {
      recording?.close();
      settleOutput();
      const report = host.makeReport(simulation.kernel, {
        machine: describeMachine(),
        clock: clock.name,
        workers: simulation.workers(),
        placement: simulation.placement(),
        ...(waits && { keepsAwake: keepAwake !== undefined }),
      });
      const written = await writeReport(report, {
        flags,
        places,
        screen,
        // A report as JSON on standard output is for a program: nothing stands beside it, unless asked for.
        prints: flags.stats ?? (prints && flags.statsfile !== '-' && !flags.quiet),
        writesAll: prints,
        hasState: !flags.memdb,
        ...(groups && (recording?.rows ?? 0) > 0 && { groups }),
      });
      const problems = await tellOutcome(simulation, {
        ...{ screen, vatOutput, report },
        allowsPending: Boolean(flags['allow-pending']),
      });
      giveJson({ ...told, problems, ...written, report: reportJson(report) });
    },

    async close() {
      interrupts.close();
      screen.clear();
      try {
        recording?.close();
        vatLog?.close();
        tellErrors();
        watch.close(screen.note);
      } finally {
        await simulation.close();
        await endProfiles();
      }
    },
  });
};

/** So many differences are told. */
const mostDifferences = 10;

/** @param {string[]} differences  of a state that is taken up @param {Screen} screen */
const tellDifferences = (differences, screen) => {
  if (differences.length === 0) return;
  screen.tell(
    "the state is not as its directory is now; the state's own is used (--init begins anew):",
  );
  for (const line of differences.slice(0, mostDifferences)) screen.tell(`  ${line}`);
  if (differences.length > mostDifferences)
    screen.tell(`  and ${differences.length - mostDifferences} more`);
};

/**
 * @template T
 * @param {{ close: () => Promise<void> }} store  closed if it fails
 * @param {() => Promise<T>} open
 */
const openWatch = async (store, open) => {
  try {
    return await open();
  } catch (error) {
    await store.close();
    throw error;
  }
};

/**
 * What is recorded of each block, and the meter of cycles if it is asked for and the machine has one.
 *
 * @param {Flags} flags
 * @param {boolean} logsAll
 * @param {Screen} screen
 */
const openMeters = async (flags, logsAll, screen) => {
  const groups = chooseGroups(flags, logsAll);
  if (!groups?.cycles) return { groups };
  const { meter, reason } = await host.openCycleMeter();
  if (meter) return { groups, cycleMeter: meter };
  screen.note(`--logcycles: cycles are not counted here: ${reason}; the stats go without them`);
  return { groups: { ...groups, cycles: false } };
};

/** @param {unknown} error @returns {string | undefined} */
const findVatThatDidNotStart = error => {
  const cause = error instanceof UserError ? /** @type {any} */ (error.cause) : undefined;
  return cause?.name === 'VatStartError' ? cause.vatName : undefined;
};

/** @typedef {Awaited<ReturnType<typeof openSession>>} Session */
