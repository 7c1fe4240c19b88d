// The answers in a result of a vat elsewhere. They are those that the kernel gave; only what a vat found dead is its own.

/** @import { Answer } from '#model' */
/** @import { Question } from '#transport' */

/**
 * Replace the answers of a result by those that were given, except for the dead references that the vat found.
 *
 * @param {readonly Question[]} questions
 * @param {readonly Answer[]} given
 * @param {Answer[]} answers  of the result, as many as were given; replaced in place
 * @returns {string | undefined} the dead references; undefined if they were not asked for
 * @throws {RangeError} if they are not a value
 */
export const takeAnswers = (questions, given, answers) => {
  /** @type {string | undefined} */
  let dead;
  for (let i = 0; i < given.length; i += 1) {
    const answer = answers[i];
    if (questions[i][0] !== 'bringOutYourDead') answers[i] = given[i];
    else if (answer.kind === 'value') dead = answer.value;
    else throw RangeError('what was found dead is told by a value');
  }
  return dead;
};
