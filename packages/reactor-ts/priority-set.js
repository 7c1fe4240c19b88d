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

/** @template P */
export class PrioritySet {
  #count = 0;

  /** @type {PrioritySetElement<P> | undefined} */
  #head = undefined;

  empty() {
    this.#head = undefined;
    this.#count = 0;
  }

  peek() {
    return this.#head;
  }

  /** The first element, taken out; undefined if there is none. */
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

  size() {
    return this.#count;
  }
}
