// The device's half of a bridge (../bridge.js).

import { Far } from '@endo/far';

const copyJson = value => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

export const buildRootDeviceNode = ({ SO, getDeviceState, setDeviceState, endowments }) => {
  const { registerInboundCallback, callOutbound } = endowments;
  let { inboundHandler } = getDeviceState() ?? {};

  registerInboundCallback((...args) => {
    if (inboundHandler === undefined) throw Error('inboundHandler not yet registered');
    SO(inboundHandler).inbound(...harden(copyJson(args)));
  });

  return Far('root', {
    registerInboundHandler(handler) {
      if (inboundHandler !== undefined) throw Error('inboundHandler already registered');
      inboundHandler = handler;
      setDeviceState(harden({ inboundHandler }));
    },
    unregisterInboundHandler() {
      inboundHandler = undefined;
      setDeviceState(harden({}));
    },
    callOutbound(...args) {
      const answer = callOutbound(...args);
      return harden(copyJson(answer instanceof Error ? answer.message : answer));
    },
  });
};
