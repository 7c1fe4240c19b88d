/** A linked list of numbers in ascending order; an equal one goes behind those that are there. */
export class SortedList {
  #head = null;

  /** @param {number} value */
  add(value) {
    if (this.#head === null || value < this.#head.value) {
      this.#head = { value, next: this.#head };
      return;
    }
    let before = this.#head;
    while (before.next !== null && before.next.value <= value) before = before.next;
    before.next = { value, next: before.next };
  }

  /** Looks at one item after the other, as Savina's list does. @param {number} value */
  includes(value) {
    for (let node = this.#head; node !== null; node = node.next) {
      if (node.value === value) return true;
    }
    return false;
  }

  /** Counts item after item, as Savina's list does. */
  size() {
    let size = 0;
    for (let node = this.#head; node !== null; node = node.next) size += 1;
    return size;
  }

  isSorted() {
    for (let node = this.#head; node?.next; node = node.next) {
      if (node.value > node.next.value) return false;
    }
    return true;
  }

  clear() {
    this.#head = null;
  }
}
