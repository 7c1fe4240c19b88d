// The device's half of a command device (../command.js).

import { Far } from '@endo/far';

export const buildRootDeviceNode = ({ SO, getDeviceState, setDeviceState, endowments }) => {
  const { registerInboundCallback, deliverResponse, sendBroadcast } = endowments;
  let { inboundHandler } = getDeviceState() ?? {};

  registerInboundCallback((count, body) => {
    if (inboundHandler === undefined)
      throw Error('command: a question came before registerInboundHandler()');
    SO(inboundHandler).inbound(count, harden(JSON.parse(`${body}`)));
  });

  return Far('root', {
    registerInboundHandler(handler) {
      inboundHandler = handler;
      setDeviceState(harden({ inboundHandler }));
    },
    sendResponse(count, isReject, value) {
      deliverResponse(count, isReject, JSON.stringify(value));
    },
    sendBroadcast(value) {
      sendBroadcast(JSON.stringify(value));
    },
  });
};
