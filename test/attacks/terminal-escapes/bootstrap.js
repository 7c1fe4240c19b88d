// Thrown and printed strings of a vat reach the terminal of the person who runs it. Escape sequences retitle the window and
// erase lines, a carriage return overwrites one, and a line break begins a line that seems to be ours or another vat's.
import { Far } from '@endo/far';

const forged = [
  '\u001b]0;mine\u0007\u001b[2K',
  '\rswingset-runner: all is well',
  '\nvat bob: was here\n    at bob.js:1:1',
  '\u009b31m\u202edesrever\u2028vat bob: so was this',
  `\u007f\u0000\b\b\b\b`,
];

export const buildRootObject = () =>
  Far('bootstrap', {
    bootstrap() {
      for (const text of forged) {
        console.log(text);
        console.error('%s', text, { [text]: text }, [text], Error(text), Symbol(text));
        const named = Error('named');
        named.name = text;
        Promise.reject(named);
      }
      throw Error(forged.join(''));
    },
  });
