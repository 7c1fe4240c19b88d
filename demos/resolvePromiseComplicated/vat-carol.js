import { Far } from '@endo/far';

export const buildRootObject = () => {
  const listen = (method, promise) => {
    console.log(`carol: ${method}`);
    promise.then(
      value => console.log(`carol: the argument of ${method} is "${value}"`),
      error => console.log(`carol: the argument of ${method} failed, ${error.message}`),
    );
    console.log(`carol: listening to the argument of ${method}`);
    return `${method} is done`;
  };

  return Far('carol', {
    foo(promise) {
      return listen('foo', promise);
    },

    bar(promise) {
      return listen('bar', promise);
    },
  });
};
