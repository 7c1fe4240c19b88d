// The device's half of plugins (../plugin.js). It speaks CapTP with the host's modules, by the `@endo/captp` that the host
// program has installed.

import { Far } from '@endo/far';

export const buildRootDeviceNode = ({ SO, getDeviceState, setDeviceState, endowments }) => {
  const known = getDeviceState();
  let receiver = known?.receiver;
  const modules = [...(known?.modules ?? [])];
  const epochs = [...(known?.epochs ?? [])];
  const states = [...(known?.states ?? [])];
  const connections = [];

  const save = () =>
    setDeviceState(
      harden({ receiver, modules: [...modules], epochs: [...epochs], states: [...states] }),
    );

  const open = async (module, index, epoch) => {
    const { makeCapTP } = await endowments.importCapTP();
    const { bootPlugin } = await endowments.import(module);
    const send = message =>
      endowments.queueThunkForKernel(() => SO(receiver).dispatch(index, harden(message)));
    const root = bootPlugin(
      harden({
        getState: () => states[index],
        setState: state =>
          new Promise(resolve => {
            states[index] = state;
            endowments.queueThunkForKernel(() => {
              save();
              resolve(undefined);
            });
          }),
      }),
    );
    return makeCapTP(module, send, root, { epoch }).dispatch;
  };

  // A vat gives it. An array with holes would take memory for them when it is saved.
  const insistIndex = (index, most) => {
    if (Number.isInteger(index) && index >= 0 && index <= most) return;
    throw RangeError(`the index of a module is an integer from 0 to ${most}`);
  };

  const connect = (module, index = modules.length) => {
    insistIndex(index, modules.length);
    modules[index] ??= module;
    if (modules[index] !== module)
      throw TypeError(`index ${index} is that of ${modules[index]}, not of ${module}`);
    const epoch = epochs[index] ?? 0;
    epochs[index] = epoch + 1;
    save();
    if (connections[index] === undefined) {
      connections[index] = open(module, index, epoch);
      connections[index].catch(error => console.error(`cannot connect to ${module}:`, error));
    }
    return index;
  };

  endowments.registerResetter(() => {
    for (const [index, module] of modules.entries())
      if (module !== undefined) SO(receiver).reset(index, epochs[index]);
  });

  return Far('root', {
    getPluginDir: () => endowments.getPluginDir(),
    connect,
    send(index, message) {
      if (modules.length === 0) throw RangeError('there is no module yet');
      insistIndex(index, modules.length - 1);
      const module = modules[index];
      if (connections[index] === undefined) connect(module, index);
      connections[index]
        .then(dispatch => dispatch(message))
        .catch(error => console.error(`cannot send to ${module}:`, error));
    },
    registerReceiver(wanted) {
      if (receiver !== undefined) throw Error('registered receiver already set');
      // It throws unless this is an object of a vat.
      SO(wanted);
      receiver = wanted;
      save();
    },
  });
};
