// Names of reactor-ts for federated programs. They exist so that generated code can import them,
// and throw when they are used: a federation has many processes and a coordinator, and this package
// runs a single process.

import { UserError } from '#model';
import { TimeValue } from './time.js';

/** @param {string} name */
const refuse = name =>
  new UserError(
    `${name} is for federated programs, which swingset-runner/reactor-ts does not run; compile the program as "main reactor", not "federated reactor"`,
  );

/** Refused: programs are not federated here. Making one throws a UserError. */
export class FederatedApp {
  constructor() {
    throw refuse('FederatedApp');
  }
}

/** Refused, as `FederatedApp`. */
export class NetworkSender {
  constructor() {
    throw refuse('NetworkSender');
  }
}

/** Refused, as `FederatedApp`. */
export class NetworkReceiver {
  constructor() {
    throw refuse('NetworkReceiver');
  }
}

/** Refused, as `FederatedApp`. */
export class FederatePortAction {
  constructor() {
    throw refuse('FederatePortAction');
  }
}

/** Refused, as `FederatedApp`. */
export class RemoteFederatePort {
  constructor() {
    throw refuse('RemoteFederatePort');
  }
}

/** The size of a message to the coordinator, in bytes. */
export const BUFFER_SIZE = 256;

/** The time between two attempts of a federate to reach the coordinator. */
export const CONNECT_RETRY_INTERVAL = TimeValue.secs(2);

/** The number of attempts of a federate to reach the coordinator. */
export const CONNECT_NUM_RETRIES = 500;

/** @param {string} name  of a function that sends to a federation */
export const refuseSending = name => () => {
  throw refuse(name);
};
