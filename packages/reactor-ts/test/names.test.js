import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { temporaryDirectory } from '#testkit/temporary-directory.js';
import * as names from '../index.js';

const exported =
  `Absent Action Alarm App ArgList BUFFER_SIZE Bank CONNECT_NUM_RETRIES CONNECT_RETRY_INTERVAL Call CalleePort
CallerPort CanConnectResult CommandLineOptionDefs CommandLineOptionSpec CommandLineUsageDefs Component ConnectablePort
Dummy FederateConfig FederatePortAction FederatedApp IOPort InMultiPort InPort Log MultiPort MultiRead MultiReadWrite
MultiWrite Mutation MutationSandbox NetworkReceiver NetworkSender Origin OutMultiPort OutPort Parameter ParmList Port
PrecedenceGraph Priority PrioritySet PrioritySetElement Procedure ProcessedCommandLineArgs Reaction ReactionGraph
ReactionSandbox Reactor ReactorClass Read ReadWrite RemoteFederatePort Runtime Sched SchedulableAction ScheduledTrigger
Shutdown Sortable SortablePrecedenceGraph Startup State Tag TaggedEvent TimeUnit TimeValue Timer Trigger TriggerManager
Variable WritableMultiPort WritablePort Write booleanCLAType dontIndent getCurrentPhysicalTime loggingCLAType stringCLAType
unitBasedTimeValueCLAType`.split(/\s+/);

test('the exports are exactly those of reactor-ts 0.6.2, types as undefined', t => {
  t.deepEqual(Object.keys(names).sort(), exported.sort());
  t.is(names.Variable, undefined);
});

const register = new URL('../register.js', import.meta.url).href;

for (const [kind, file, source] of [
  [
    'import',
    'a.mjs',
    `import { App, Variable } from '@lf-lang/reactor-ts'; console.log(App.name, Variable);`,
  ],
  ['require', 'a.cjs', `console.log(require('@lf-lang/reactor-ts').App.name, undefined);`],
])
  test(`a program that does ${kind} of @lf-lang/reactor-ts finds it after --import register`, t => {
    const program = path.join(temporaryDirectory(t), file);
    fs.writeFileSync(program, source);
    const { stdout } = spawnSync(
      process.execPath,
      ['--no-warnings', '--import', register, program],
      { encoding: 'utf8' },
    );
    t.is(stdout, 'App undefined\n');
  });

test('the alias package exports the same names', async t => {
  const alias = new URL('../alias/', import.meta.url);
  const { name, main } = JSON.parse(fs.readFileSync(new URL('package.json', alias), 'utf8'));
  t.is(name, '@lf-lang/reactor-ts');
  const there = await import(fileURLToPath(new URL(main, alias)));
  t.is(there.App, names.App);
});
