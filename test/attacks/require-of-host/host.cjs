import('swingset-runner').then(async ({ loadConfig, makeMemoryStore, makeSimulation }) => {
  const simulation = await makeSimulation(loadConfig({ baseDir: __dirname }), {
    store: makeMemoryStore(),
    observer: { onConsole: (vatName, _level, text) => console.log(`${vatName}: ${text}`) },
  });
  await simulation.run();
  const { where } = require('./lazy.cjs');
  console.log(typeof where === 'string' ? 'a stack' : 'no stack');
  await simulation.close();
});
