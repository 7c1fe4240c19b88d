// Objects that are kept so that there is always one of their class. Optimised code is made for the shapes (V8's hidden
// classes) of the objects that it has seen, and a shape of which no object is left dies in a full collection of the
// engine's, and the code with it. Between two cranks there is no object of the classes that only live for a crank, and
// that is when vats are asked for their dead references.

/** @type {object[]} */
const samples = [];

/**
 * Keep an object, which stands for all that are made as it was. It must hold nothing that is large.
 *
 * @param {object} sample
 */
export const keepShape = sample => {
  samples.push(sample);
};
