import { E, Far } from '@endo/far';

// Long runs would drown in lines: all up to 9, then every 9th, 99th, 999th and 9999th.
const isWorthLogging = n => {
  const left = Math.abs(n);
  const step = [1, 9, 99, 999].find(limit => left <= limit * 10) ?? 9999;
  return left % step === 0;
};

export const buildRootObject = () => {
  let nickname;

  const makeContact = caller =>
    Far('contact', {
      ping(tag, n) {
        if (isWorthLogging(n)) console.log(`bob: ping "${tag}" ${n}`);
        if (n > 0) E(caller).ping(tag, n - 1);
        if (n < 0) E(caller).ping(tag, n);
      },
    });

  return Far('bob', {
    setNickname(name) {
      nickname = name;
    },

    hello(caller, callerName) {
      console.log(`bob: hello, ${callerName}`);
      const contact = makeContact(caller);
      E(caller).myNameIs(nickname);
      return contact;
    },
  });
};
