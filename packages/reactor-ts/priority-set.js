// A set of elements in the order of their priorities, linked through the elements. The runtime does not use it; programs
// that import it from reactor-ts find it here.

/**
 * @template P
 * @typedef {object} PrioritySetElement
 * @property {PrioritySetElement<P> | undefined} next
 * @property {() => P} getPriority
 * @property {(other: PrioritySetElement<P>) => boolean} hasPriorityOver
 * @property {(other: PrioritySetElement<P> | undefined) => boolean} updateIfDuplicateOf  whether it is the other once
 *   more, which then has the new value
 */

/** A set whose elements come out by priority. @template P */
export class PrioritySet {
  #count = 0;

  /** @type {PrioritySetElement<P> | undefined} */
  #head = undefined;

  /** Remove all elements. */
  empty() {
    this.#head = undefined;
    this.#count = 0;
  }

  /** The first element, which stays. @returns {PrioritySetElement<P> | undefined} undefined if there is none */
  peek() {
    return this.#head;
  }

  /** The first element, taken out; undefined if there is none. @returns {PrioritySetElement<P> | undefined} */
  pop() {
    const first = this.#head;
    if (first === undefined) return undefined;
    this.#head = first.next;
    first.next = undefined;
    this.#count -= 1;
    return first;
  }

  /**
   * Behind all elements of the same priority; an element that is there already is updated instead.
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

  /** How many elements there are. @returns {number} */
  size() {
    return this.#count;
  }
}
