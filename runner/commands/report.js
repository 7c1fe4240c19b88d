// `swingset-runner report FILE`: the report of a run, once more.

export const command = 'report <file>';
export const describe = 'print the report of a JSON report, an output directory or a database';

/** @param {import('yargs').Argv} yargs */
export const builder = yargs =>
  yargs.positional('file', {
    type: 'string',
    describe: 'a report as JSON, or a directory that a run has written',
  });

/** @param {import('../cli.js').Flags} flags */
export const handler = async ({ file }) => {
  const { findReport, formatReport } = await import('../session/report-text.js');
  process.stdout.write(formatReport(await findReport(file)));
};
