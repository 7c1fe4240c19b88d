import { E, Far } from '@endo/far';

export const buildRootObject = () =>
  Far('alice', {
    sayHelloTo(other) {
      console.log('alice: saying hello');
      E(other)
        .hello()
        .then(
          answer => console.log(`alice: the answer is "${answer}"`),
          error => console.log(`alice: no answer, ${error.message}`),
        );
      return 'hello is on its way';
    },
  });
