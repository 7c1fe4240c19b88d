// The device's half of a loopbox (../loopbox.js). Its senders are named in the config, since a node that is made while the
// device is built is the same one when the run is resumed.

import { Far } from '@endo/far';

const omit = (record, key, value) => ({ ...record, [key]: value });

export const buildRootDeviceNode = tools => {
  const { SO, endowments, deviceParameters, getDeviceState, setDeviceState } = tools;
  const { registerPassOneMessage, deliverMode } = endowments;
  const { senders } = deviceParameters;

  const readState = () =>
    getDeviceState() ?? {
      waiting: [],
      counts: Object.fromEntries(senders.map(name => [name, 1])),
      handlers: {},
    };

  const makeSender = name =>
    Far('sender', {
      add(peer, _number, body) {
        const state = readState();
        const handler = state.handlers[peer];
        if (handler === undefined) throw Error(`unregistered peer '${peer}'`);
        const count = state.counts[name];
        const counts = omit(state.counts, name, count + 1);
        if (deliverMode === 'immediate') {
          SO(handler).deliverInboundMessages(name, harden([[count, body]]));
          setDeviceState(harden({ ...state, counts }));
        } else {
          const waiting = [...state.waiting, [handler, name, count, body]];
          setDeviceState(harden({ ...state, counts, waiting }));
        }
      },
      remove() {},
      ackInbound() {},
    });

  const nodes = Object.fromEntries(senders.map(name => [name, makeSender(name)]));
  // Serialising gives each sender its number now, in the same order in each life of the device.
  const before = readState();
  setDeviceState(harden(Object.values(nodes)));
  setDeviceState(harden(before));

  registerPassOneMessage(() => {
    const state = readState();
    const [first, ...waiting] = state.waiting;
    if (first === undefined) return false;
    const [handler, name, count, body] = first;
    setDeviceState(harden({ ...state, waiting }));
    SO(handler).deliverInboundMessages(name, harden([[count, body]]));
    return true;
  });

  return Far('root', {
    registerInboundHandler(name, handler) {
      const state = readState();
      if (state.handlers[name] !== undefined) throw Error('already registered');
      setDeviceState(harden({ ...state, handlers: omit(state.handlers, name, handler) }));
    },
    getSender: name => nodes[name],
  });
};
