// Three kinds of error, never mixed (packages/README.md, "Errors"): a bug stops the kernel (`Fail`), a vat's fault is
// data, and a user's mistake is a `UserError`, which says the remedy and needs no stack.

/**
 * The base of all our error classes. It is not the engine's `Error`: vats get hold of our errors, and the engine's
 * `Error` has hooks that see every error of the process. Lockdown makes this class inherit from the tamed one
 * (loader/engine-errors.js).
 */
export class BaseError extends Error {}

/**
 * Freezes a class of errors that vats may get hold of, so that none can leave something on it for another.
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
 * A user's mistake: in a flag, a config, a file. The runner prints only the message and exits with `exitCode`: 2 for
 * wrong usage, 1 for a run that failed.
 */
export class UserError extends BaseError {
  /** Identifies a UserError without its prototype chain, which a vat may have changed. */
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
   * Whether a value was made by this class; runs no code of the value.
   *
   * @param {unknown} value
   * @returns {value is UserError}
   */
  static is(value) {
    return typeof value === 'object' && value !== null && #isUserError in value;
  }
}
freezeErrorClass(UserError);

/** A broken invariant of the kernel, never caused by a vat or a user. */
export class KernelBug extends BaseError {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'KernelBug';
  }
}
freezeErrorClass(KernelBug);

/**
 * A value as an error message shows it: strings in quotes, other values as JSON if they have any. JSON has no NaN, and
 * nothing for an object that holds itself.
 *
 * @param {unknown} value  an id, a type or a count; never a vat's data
 */
export const quote = value => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  try {
    // Data of a vat may have bigints anywhere, which JSON refuses.
    const text = JSON.stringify(value, (_name, part) =>
      typeof part === 'bigint' ? `${part}n` : part,
    );
    return text === undefined ? String(value) : text;
  } catch {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
};

/**
 * Throws a KernelBug: `condition || Fail`kref ${kref} is not in the c-list of ${vatId}``. The values are quoted.
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
