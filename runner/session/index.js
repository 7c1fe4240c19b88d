// A session: everything that a command opens before it runs cranks and closes afterwards. Commands
// are built from its methods.

import * as host from '#host/session.js';
import { describeMachine } from '#measure/machine.js';
import { showInLine } from '#model';
import { reportJson } from '#stats/report.js';
import { watchInterrupts } from './interrupt.js';
import { openRun } from './open-run.js';
import { makeProgress } from './progress.js';
import { startRecording } from './recording.js';
import { makeRunOutput } from './tell-run.js';
import { removeReports, tellOutcome, writeReport } from './conclusion.js';

/** @import { Flags } from '../cli.js' */
/** @import { BlockTaken, Progress } from '#host' */
/** @import { OpenRun, SessionKind } from './open-run.js' */

const nsPerMs = 1_000_000;

/**
 * @param {Flags} flags
 * @param {SessionKind} kind
 */
export const openSession = async (flags, kind) => {
  const run = await openRun(flags, kind);
  const { simulation, screen, places, state, errors, vatLog, watch, vatOutput } = run;
  const { clock, realTime, groups, cycleMeter, isOurFolder } = run;
  const { prints = false, answersLines = false, renderer } = kind;
  const { resume } = state;
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
  const interrupts = watchRun(run, flags);
  const tell = makeRunOutput(simulation, {
    ...{ flags, screen, answersLines },
    stateDir: places.stateDir,
  });

  /** @param {BlockTaken} taken @param {Progress} now */
  const onBlock = (taken, now) => {
    recording?.row(taken, now);
    tell.blockHash(now.blocks);
    vatLog?.flush();
    errors.tell();
    progress.tick(now);
  };
  const replaceState = () => {
    state.open();
    if (isOurFolder && !resume) removeReports(places);
  };
  const blockOptions = {
    ...blockFlags(flags),
    clock,
    ...(cycleMeter && { cycleMeter }),
    ...(realTime && { realTime }),
    prepareCommit: replaceState,
    shouldStop: interrupts.shouldStop,
    onBlock,
  };

  const rethrowExplained = (/** @type {unknown} */ error) => {
    throw errors.explainStart(error);
  };
  const settleOutput = () => {
    vatLog?.flush();
    screen.clear();
    errors.tell();
  };
  const isFinished = () => resume && host.isFinished(begun) && simulation.isQuiet;

  return Object.freeze({
    simulation,
    screen,
    blockOptions,
    interrupts,

    /** Make the state, and run nothing. */
    async commitStart() {
      replaceState();
      await simulation.commit();
      tell.hash();
      screen.note(`the state is in ${showInLine(places.stateDir)}`);
      tell.resume();
      tell.json({ outcome: 'made' });
    },

    /** Run setup and rounds, or the rest of them. */
    async runRounds() {
      if (isFinished() && (flags.benchmark ?? 0) <= begun.done) tell.finished();
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
        tell.hash();
        tell.resume();
        process.exitCode = interrupts.exitCode;
        tell.json({ outcome: 'stopped' });
      }
      if (outcome === 'until') {
        simulation.kernel.setHostValue(host.endedKey, 'until');
        await simulation.commit();
        tell.until();
      }
      return outcome;
    },

    /** @param {number} cranks  at most */
    async runSome(cranks) {
      record();
      if (isFinished()) tell.finished();
      const options = { ...blockOptions, maxCranks: cranks };
      const ran = await host.runSome(simulation, options).catch(rethrowExplained);
      await simulation.commit();
      settleOutput();
      tell.some(ran);
      return ran;
    },

    settleOutput,

    /**
     * Print the report, write files and graphs, and set the exit code.
     *
     * @param {Record<string, unknown>} [told]  further fields of the JSON result
     */
    async conclude(told = {}) {
      recording?.close();
      settleOutput();
      interrupts.endAtNext(signal =>
        screen.tell(
          `ended by ${signal} while its files were written; the run is complete, and swingset-runner report and graph draw them from it`,
        ),
      );
      const report = reportOf(run);
      const written = await writeReport(report, {
        flags,
        places,
        screen,
        // With a JSON report on standard output, the text is printed only if --stats asks for it.
        prints: flags.stats ?? (prints && flags.statsfile !== '-' && !flags.quiet),
        writesAll: prints,
        hasState: !flags.memdb,
        blocks: host.readProgress(simulation.kernel).blocks,
        ...(renderer && { renderer }),
        ...(groups && (recording?.rows ?? 0) > 0 && { groups }),
      });
      const problems = await tellOutcome(simulation, {
        ...{ screen, vatOutput, report, launchedFailures: watch.failedVats },
        allowsPending: Boolean(flags['allow-pending']),
        allowsFailedVats: Boolean(flags['allow-failed-vats']),
      });
      tell.json({ ...told, problems, ...written, report: reportJson(report) });
    },

    async close() {
      interrupts.close();
      screen.clear();
      try {
        recording?.close();
        vatLog?.close();
        errors.tell();
        watch.close(screen.note);
      } finally {
        await simulation.close();
        await run.endProfiles();
        run.unlockFolder();
      }
    },
  });
};

/** @param {OpenRun} run */
const reportOf = ({ simulation, clock, waiting }) =>
  host.makeReport(simulation.kernel, {
    machine: describeMachine(),
    clock: clock.name,
    workers: simulation.workers(),
    workersWaitNs: simulation.workersWaitNs(),
    placement: simulation.placement(),
    ...waiting,
  });

/** @param {OpenRun} run @param {Flags} flags */
const watchRun = ({ simulation, screen, watchSignals, alarm }, flags) =>
  watchInterrupts(
    () => screen.note('stopping when the block is committed; Ctrl-C again ends at once'),
    {
      ...{ findWork: simulation.atWork, workBytes: simulation.workBytes },
      ...{ beforeEnd: screen.clear, watchSignals },
      startAlarm: signal =>
        alarm.watch({
          ...{ board: simulation.workShared, slotBytes: host.workSlotBytes },
          ...{ places: host.workPlaces, signal },
          endAfterMs: (flags['max-crank-time'] ?? Infinity) / nsPerMs,
        }),
    },
  );

/** Options of blocks by their flags. @param {Flags} flags */
const blockFlags = flags => ({
  blockSize: flags.blocksize,
  commitsBlocks: flags.blockmode,
  forceGc: flags.forcegc ?? false,
  ...(flags.until !== undefined && { untilNs: flags.until }),
  ...(flags['max-cranks'] !== undefined && { maxCranksInAll: flags['max-cranks'] }),
  ...(flags['max-microsteps'] !== undefined && { maxMicrosteps: flags['max-microsteps'] }),
});

/** @typedef {Awaited<ReturnType<typeof openSession>>} Session */
