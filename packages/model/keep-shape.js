// Objects that are kept so that there is always one of their class. V8 optimises code for the shapes (hidden classes)
// of the objects that it has seen. When no object of a shape is left, a full collection of the engine drops the shape
// and the code. Between two cranks there is no object of the classes that live only for a crank, and that is when vats
// are asked for their dead references.

/** @type {object[]} */
const samples = [];

/**
 * Keeps an object as a sample of all that are made like it. It must hold nothing large.
 *
 * @param {object} sample
 */
export const keepShape = sample => {
  samples.push(sample);
};
