// The names of `@lf-lang/reactor-ts` 0.6.2, over the scheduler of packages/reactor.

export { Action, Dummy, SchedulableAction, Shutdown, Startup } from './action.js';
export { Alarm } from './alarm.js';
export { App, ReactionGraph } from './app.js';
export { Bank } from './bank.js';
export { CalleePort, CallerPort } from './call-ports.js';
export * from './cli.js';
export { Component } from './component.js';
export { CanConnectResult } from './connecting.js';
export { TaggedEvent } from './event.js';
export {
  BUFFER_SIZE,
  CONNECT_NUM_RETRIES,
  CONNECT_RETRY_INTERVAL,
  FederatePortAction,
  FederatedApp,
  NetworkReceiver,
  NetworkSender,
  RemoteFederatePort,
} from './federation.js';
export { Log } from './log.js';
export { InMultiPort, MultiPort, OutMultiPort, WritableMultiPort } from './multiport.js';
export { ConnectablePort, IOPort, InPort, OutPort, Port, WritablePort } from './port.js';
export { PrecedenceGraph, SortablePrecedenceGraph } from './precedence-graph.js';
export { PrioritySet } from './priority-set.js';
export { Mutation, Procedure, Reaction } from './reaction.js';
export { Reactor } from './reactor.js';
export { Parameter } from '#reactor';
export { State } from './state.js';
export { dontIndent } from './strings.js';
export { Origin, Tag, TimeUnit, TimeValue, getCurrentPhysicalTime } from './time.js';
export { Timer } from './timer.js';
export { ScheduledTrigger, Trigger } from './trigger.js';
export * from './types.js';
