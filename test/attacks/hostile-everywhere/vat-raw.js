import { reasons } from './reasons.js';

let number = 0;

// With a rejection that nobody listens to in each delivery, and one that the delivery itself makes.
export default () => () => {
  for (const reason of reasons) {
    try {
      Promise.reject(reason());
    } catch {
      // Some cannot be made.
    }
  }
  number += 1;
  // Its start is left alone: a vat of the config that does not start ends the run.
  if (number === 1) return;
  throw reasons[number % reasons.length]();
};
