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

  /** As in SwingSet, the vat does not learn that the host took a text with an error. */
  const tellHost = (method, act) => {
    try {
      act();
    } catch (error) {
      console.error(`error during ${method}:`, error);
    }
  };

  return Far('root', {
    registerInboundHandler(handler) {
      inboundHandler = handler;
      setDeviceState(harden({ inboundHandler }));
    },
    sendResponse(count, isReject, value) {
      tellHost('sendResponse', () => deliverResponse(count, isReject, JSON.stringify(value)));
    },
    sendBroadcast(value) {
      tellHost('sendBroadcast', () => sendBroadcast(JSON.stringify(value)));
    },
  });
};
