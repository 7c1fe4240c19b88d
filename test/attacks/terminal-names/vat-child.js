import { Far } from '@endo/far';

export const buildRootObject = () =>
  Far('child', {
    speak(text) {
      console.log(text);
      console.error('%s', text);
    },
    fail(text) {
      const error = Error(text);
      error.name = text;
      throw error;
    },
  });
