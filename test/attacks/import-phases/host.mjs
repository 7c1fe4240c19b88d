import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadConfig, makeMemoryStore, makeSimulation } from 'swingset-runner';

const { registerHooks } = nodeModule;
const load = name => import(`data:text/javascript,export default ${name}`);
const { default: before } = await load('7');
// Hooks of the host's own work beside those of the library.
const hooks = registerHooks?.({
  resolve: (specifier, context, next) =>
    next(
      specifier === 'host:seven' ? 'data:text/javascript,export default 7;//' : specifier,
      context,
    ),
});
const baseDir = fileURLToPath(new URL('.', import.meta.url));
const simulation = await makeSimulation(loadConfig({ baseDir }), { store: makeMemoryStore() });
await simulation.run();
const { default: after } = await (hooks ? import('host:seven') : load('7'));
let asked = 'refused';
try {
  await new Compartment().evaluate(`u => ${'import'}.source(u)`)(
    'data:application/wasm;base64,AGFzbQEAAAA=',
  );
  asked = 'loaded';
} catch {
  // The wall behind SES's check, or an engine without it.
}
console.log('own imports:', before, after, asked);
await simulation.close();
