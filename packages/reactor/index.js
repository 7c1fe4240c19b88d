// Reactors: Lingua Franca's model as a library. Imports `#schedule` and `#model`.

export { Action, Origin } from './action.js';
export { Bank } from './bank.js';
export { interleaved } from './connect.js';
export { Federate } from './federate.js';
export { forVats, vatClasses } from './for-vats.js';
export { Mode } from './mode.js';
export { Channel, InMultiPort, MultiPort, OutMultiPort } from './multiport.js';
export * from './observer.js';
export * from './outline.js';
export { InPort, OutPort, Port } from './port.js';
export { App, Program, run, runFast } from './program.js';
export { Reaction } from './reaction.js';
export { Args, Reactor, Triggers } from './reactor.js';
export { Scheduler } from './scheduler.js';
export { Parameter, State } from './state.js';
export { systemClock } from './system-clock.js';
export { TimeUnit, TimeValue, hours, minutes, msec, nsec, sec, usec } from './time.js';
export { Timer } from './timer.js';
export { VatReactor } from './vat-reactor.js';
export { Watchdog } from './watchdog.js';
