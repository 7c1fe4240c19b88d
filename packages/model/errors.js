// Three kinds of error, never mixed (packages/README.md, "Errors"): a bug stops the kernel (`Fail`), a vat's
// fault is data, and a user's mistake is a `UserError`, which says the remedy and has no stack worth showing.

/**
 * The base of all our classes of errors. It is not the engine's own `Error`: vats get hold of our errors, and the engine's
 * `Error` has hooks that see every error of the process. Lockdown makes this class inherit from the tamed one
 * (loader/engine-errors.js).
 */
export class BaseError extends Error {}

/**
 * A class of errors that vats may get hold of: none leaves something on it for another.
 *
 * @template {Function} T
 * @param {T} errorClass
 * @returns {T}
 */
export const freezeErrorClass = errorClass => {
  Object.freeze(errorClass.prototype);
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(errorClass)))
    Object.freeze(value);
  return Object.freeze(errorClass);
};

/**
 * A mistake of the person at the keyboard: a flag, a config, a file. The runner prints the message alone and
 * exits with `exitCode`: 2 for wrong usage, 1 for a run that failed.
 */
export class UserError extends BaseError {
  /** Tells one without looking at what it inherits, which is whatever a vat made of it. */
  #isUserError = true;

  /**
   * @param {string} message  one line: the place, what is wrong, what would be right
   * @param {{ exitCode?: 1 | 2, cause?: unknown }} [options]
   */
  constructor(message, { exitCode = 2, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UserError';
    this.exitCode = exitCode;
  }

  /**
   * Whether a value was made by this class; asks nothing of the value.
   *
   * @param {unknown} value
   * @returns {value is UserError}
   */
  static is(value) {
    return typeof value === 'object' && value !== null && #isUserError in value;
  }
}
freezeErrorClass(UserError);

/** A broken invariant of the kernel: never a vat's or a user's doing. */
export class KernelBug extends BaseError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'KernelBug';
  }
}
freezeErrorClass(KernelBug);

/**
 * A value as it stands in an error message: strings in quotes, everything else as JSON where it has any.
 *
 * @param {unknown} value  an id, a type or a count; never a vat's data
 */
export const quote = value => {
  if (typeof value === 'bigint') return `${value}n`;
  const text = JSON.stringify(value);
  return text === undefined ? String(value) : text;
};

/**
 * Throw a KernelBug: `condition || Fail`kref ${kref} is not in the c-list of ${vatId}``. The values are quoted.
 *
 * @param {TemplateStringsArray} parts
 * @param {...unknown} values
 * @returns {never}
 */
export const Fail = (parts, ...values) => {
  let text = parts[0];
  values.forEach((value, i) => {
    text += quote(value) + parts[i + 1];
  });
  throw new KernelBug(text);
};
