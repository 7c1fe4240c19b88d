// The library as vats import it: the parts of a program, without functions that run one. The kernel runs a vat's
// program.

import { TagHeap, ReadyQueue, Level } from '#schedule';
import { Action, Origin } from './action.js';
import { Bank } from './bank.js';
import { BuiltIn, BuiltIns } from './built-in.js';
import { Connection, Interleaved, interleaved } from './connect.js';
import { End, Federate, Tap } from './federate.js';
import { Mode, ModeTransition } from './mode.js';
import { Channel, InMultiPort, MultiPort, OutMultiPort } from './multiport.js';
import { ReactorNode } from './node.js';
import { Outlet } from './outlet.js';
import { InPort, OutPort, Port } from './port.js';
import { Reaction } from './reaction.js';
import { Args, Effect, Reactor, Triggers } from './reactor.js';
import { Region } from './region.js';
import { Event } from './event.js';
import { PendingEvents } from './pending-events.js';
import { Scheduler } from './scheduler.js';
import { Link, Slot } from './slot.js';
import { Parameter, State } from './state.js';
import { TimeUnit, TimeValue, hours, minutes, msec, nsec, sec, usec } from './time.js';
import { Timer } from './timer.js';
import { Instance, Pool, ResultPort, Transient } from './transient.js';
import { VatReactor } from './vat-reactor.js';
import { Watchdog } from './watchdog.js';

/** The exports of `swingset-runner/reactor` within a vat, by name. */
export const forVats = Object.freeze({
  Action,
  Args,
  Bank,
  Channel,
  hours,
  InMultiPort,
  InPort,
  interleaved,
  minutes,
  Mode,
  msec,
  MultiPort,
  nsec,
  Origin,
  OutMultiPort,
  OutPort,
  Parameter,
  Port,
  Reaction,
  Reactor,
  sec,
  State,
  Timer,
  TimeUnit,
  TimeValue,
  Triggers,
  usec,
  Watchdog,
});

/** All classes that can be reached from a reactor, to be hardened where several vats share them. */
export const vatClasses = Object.freeze([
  ...Object.values(forVats),
  BuiltIn,
  BuiltIns,
  Connection,
  Effect,
  End,
  Event,
  Federate,
  Instance,
  Interleaved,
  Level,
  Link,
  ModeTransition,
  Outlet,
  PendingEvents,
  Pool,
  ReactorNode,
  ReadyQueue,
  Region,
  ResultPort,
  Scheduler,
  Slot,
  TagHeap,
  Tap,
  Transient,
  VatReactor,
]);
