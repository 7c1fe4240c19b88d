// The trace of a run under this kernel.

import { makeTrace } from './trace.js';

/** @import { SimulationOptions } from '../../../packages/host/simulation/options.js' */

export const followKernel = () => {
  /** @type {Map<string, string>} */
  const names = new Map();
  const trace = makeTrace(vatId => names.get(vatId));
  /** @type {string[]} lines that vats print in a crank, which come before the crank's own line */
  let printed = [];
  let current = '';
  trace.begin();
  return {
    trace,
    /** Options of `makeSimulation`. @type {Pick<SimulationOptions, 'onKernel' | 'observer' | 'crankObserver'>} */
    options: {
      onKernel: kernel => {
        for (const { vatId, name, isStatic } of kernel.vats()) if (isStatic) names.set(vatId, name);
      },
      observer: { onConsole: (_vat, _level, text) => void printed.push(text) },
      crankObserver: {
        begins: ({ vatId, plan }) => {
          current = vatId;
          if (plan !== null) trace.deliver(vatId, plan.kernelDelivery);
        },
        applied: ({ applied, deviceSends }) => {
          const sent = new Set(deviceSends);
          applied.forEach((syscall, place) => {
            if (!sent.has(place)) trace.syscall(current, syscall);
          });
          for (const text of printed) trace.print(current, text);
          printed = [];
        },
      },
    },
  };
};
