// node main.js balance OWNER | pay FROM TO AMOUNT

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig, makeSimulation, openLmdbStore, VatError } from 'swingset-runner';

const dir = process.env.BANK_STATE ?? 'bank-state';
const baseDir = fileURLToPath(new URL('../bank', import.meta.url));

const commands = {
  balance: async (call, owner) => String(await call('bank', 'balance', [owner])),
  pay: async (call, from, to, amount) => {
    const account = await call('bank', 'account', [from]);
    return `${from} has ${await call(account, 'pay', [to, BigInt(amount)])} left`;
  },
};

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name ?? '') || args.length !== commands[name].length - 1) {
  console.error('usage: node main.js balance OWNER | pay FROM TO AMOUNT');
  process.exit(2);
}

const isNew = !existsSync(dir);
const store = openLmdbStore({ dir, durability: 'commit', create: isNew });
const simulation = await makeSimulation(isNew ? loadConfig({ baseDir }) : undefined, {
  store,
  ...(!isNew && { resume: true }),
});
simulation.start();
try {
  console.log(await commands[name](simulation.call, ...args));
} catch (error) {
  if (!(error instanceof VatError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await simulation.stop();
  await simulation.close();
}
