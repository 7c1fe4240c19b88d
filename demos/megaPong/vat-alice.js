import { E, Far } from '@endo/far';

// Long runs would drown in lines: all up to 9, then every 9th, 99th, 999th and 9999th.
const isWorthLogging = n => {
  const left = Math.abs(n);
  const step = [1, 9, 99, 999].find(limit => left <= limit * 10) ?? 9999;
  return left % step === 0;
};

export const buildRootObject = () => {
  let nickname;
  let otherName;
  let otherContact; // a promise for bob's contact

  const makeContact = () =>
    Far('contact', {
      myNameIs(name) {
        otherName = name;
        console.log(`alice: I am talking to ${otherName}`);
      },

      ping(tag, n) {
        if (isWorthLogging(n)) console.log(`alice: ping "${tag}" ${n}`);
        if (n > 0) E(otherContact).ping(tag, n - 1);
        if (n < 0) E(otherContact).ping(tag, n);
      },
    });

  return Far('alice', {
    setNickname(name) {
      nickname = name;
    },

    introduceYourselfTo(other) {
      otherContact = E(other).hello(makeContact(), nickname);
      return `${nickname} has said hello`;
    },

    grind(tag, count) {
      E(otherContact).ping(tag, count);
    },
  });
};
