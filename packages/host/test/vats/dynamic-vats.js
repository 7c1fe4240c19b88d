// Programs that make vats while the run is on.

import { runVats } from './run-vats.js';

/** @typedef {import('./run-vats.js').VatsRun} VatsRun */

/** @typedef {'current' | '2020-09'} ProfileName */

export const profiles = /** @type {const} */ (['current', '2020-09']);

export const worker = `
  import { E, Far } from '@endo/far';
  export const buildRootObject = ({ exitVat, exitVatWithFailure }, parameters) =>
    Far('worker', {
      echo: value => value,
      never: () => new Promise(() => {}),
      parameters: () => harden({ ...parameters }),
      hear: words => E(parameters.friend).hear(words),
      exit: info => exitVat(info),
      exitWithFailure: info => exitVatWithFailure(info),
      sendAndExit(other) {
        E(other).hear('before');
        exitVat('bye');
        E(other).hear('after');
      },
      dropAndExit(other) {
        E(other).hear('never said');
        exitVatWithFailure('bye');
      },
    });
`;

/** Modules that make no good vat. */
export const bad = {
  engineError: `undefined.x; export const buildRootObject = () => {};`,
  throwing: `throw Error('top level'); export const buildRootObject = () => {};`,
  rootless: `export const other = 1;`,
  rootThrows: `export const buildRootObject = () => { throw RangeError('no root'); };`,
  rootRejects: `export const buildRootObject = async () => { throw Error('no root later'); };`,
  rootNever: `export const buildRootObject = () => new Promise(() => {});`,
  rootData: `export const buildRootObject = () => 7;`,
  rootExits: `
    import { Far } from '@endo/far';
    export const buildRootObject = ({ exitVat }) => {
      exitVat('at once');
      return Far('root', { hi: () => 'hi' });
    };
  `,
  rootFails: `
    import { Far } from '@endo/far';
    export const buildRootObject = ({ exitVatWithFailure }) => {
      exitVatWithFailure(Error('at once'));
      return Far('root', { hi: () => 'hi' });
    };
  `,
};

/** @param {string} body  of bootstrap, which has \`admin\`, \`make\`, \`tell\` */
export const bootstrap = body => `
  import { E, Far } from '@endo/far';
  const isPlain = value => typeof value === 'object' && value !== null && !('then' in value);
  const show = value => {
    if (value instanceof Error) return value.name + ': ' + value.message;
    return isPlain(value) ? JSON.stringify(value, Object.keys(value).sort()) : String(value);
  };
  const tell = (what, promise) =>
    Promise.resolve(promise).then(
      value => console.log(what + ' gave ' + show(value)),
      error => console.log(what + ' failed with ' + show(error)),
    );
  export const buildRootObject = (_powers, parameters) => {
    const self = Far('bootstrap', {
      hear: words => console.log('heard ' + words),
      async bootstrap(vats, devices) {
        const admin = E(vats.vatAdmin).createVatAdminService(devices.vatAdmin);
        const make = (...args) => E(admin).createVatByName('worker', ...args);
        ${body}
      },
    });
    return self;
  };
`;

/**
 * @param {string} body
 * @param {ProfileName} profile
 * @param {Parameters<typeof runVats>[1]} [options]
 */
export const run = (body, profile, options) =>
  runVats({ bootstrap: bootstrap(body) }, { profile, bundles: { worker, ...bad }, ...options });

/** The lines that bootstrap printed. @param {VatsRun} ran */
export const said = ({ printed }) =>
  printed.map(line => {
    const [, text] = /^bootstrap: (.*)$/.exec(line) ?? [];
    return text ?? line;
  });
