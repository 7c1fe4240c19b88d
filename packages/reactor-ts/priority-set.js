// A set of elements in the order of their priorities, linked through the elements. The runtime does
// not use it; it exists for programs that import it from reactor-ts.

/**
 * @template P
 * @typedef {object} PrioritySetElement
 * @property {PrioritySetElement<P> | undefined} next
 * @property {() => P} getPriority
 * @property {(other: PrioritySetElement<P>) => boolean} hasPriorityOver
 * @property {(other: PrioritySetElement<P> | undefined) => boolean} updateIfDuplicateOf  whether it
 *   equals the other, which then takes the new value
 */

/** A set that gives its elements in order of priority. @template P */
export class PrioritySet {
  #count = 0;

  /** @type {PrioritySetElement<P> | undefined} */
  #head = undefined;

  /** Remove all elements. */
  empty() {
    this.#head = undefined;
    this.#count = 0;
  }

  /** The first element, which stays in the set. @returns {PrioritySetElement<P> | undefined} undefined if there is none */
  peek() {
    return this.#head;
  }

  /** Remove and return the first element; undefined if there is none. @returns {PrioritySetElement<P> | undefined} */
  pop() {
    const first = this.#head;
    if (first === undefined) return undefined;
    this.#head = first.next;
    first.next = undefined;
    this.#count -= 1;
    return first;
  }

  /**
   * Insert an element after all of the same priority; an equal element is updated instead.
   *
   * @param {PrioritySetElement<P>} element
   */
  push(element) {
    /** @type {PrioritySetElement<P> | undefined} */
    let before = undefined;
    let after = this.#head;
    while (after !== undefined) {
      if (element.updateIfDuplicateOf(after)) return;
      if (element.hasPriorityOver(after)) break;
      before = after;
      after = after.next;
    }
    element.next = after;
    if (before === undefined) this.#head = element;
    else before.next = element;
    this.#count += 1;
  }

  /** The number of elements. @returns {number} */
  size() {
    return this.#count;
  }
}
