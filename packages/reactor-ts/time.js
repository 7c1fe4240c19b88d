// Time as reactor-ts has it: a time value is a pair of seconds and nanoseconds, a tag is a time and
// a microstep. The scheduler counts nanoseconds from the start of the program; `nsOf` and `timeOf`
// convert between the two.

const nsPerSecond = 1_000_000_000;

/** Nanoseconds of each unit. */
export const TimeUnit = Object.freeze({
  nsec: 1,
  usec: 1_000,
  msec: 1_000_000,
  sec: nsPerSecond,
  minute: 60 * nsPerSecond,
  hour: 3_600 * nsPerSecond,
  day: 86_400 * nsPerSecond,
  week: 604_800 * nsPerSecond,
});

/** @typedef {number} TimeUnit  a value of `TimeUnit` */

/** The 64 bits that `toBinary` writes for `never` and `forever`. */
const neverBits = 0x8000_0000_0000_0000n;
const foreverBits = 0x7fff_ffff_ffff_ffffn;

/** A duration, whole nanoseconds. */
export class TimeValue {
  /**
   * @param {number} seconds  whole
   * @param {number} [nanoseconds]  whole
   * @throws {Error} for negative numbers and fractions, except for the seconds of `never`
   */
  constructor(seconds, nanoseconds = 0) {
    const isTime =
      Number.isInteger(seconds) &&
      Number.isInteger(nanoseconds) &&
      seconds >= 0 &&
      nanoseconds >= 0;
    if (!isTime && seconds !== Number.MIN_SAFE_INTEGER) {
      throw new Error(
        'Cannot instantiate a time interval based on negative or non-integer numbers.',
      );
    }
    /** @protected */
    this.seconds = seconds;
    /** @protected */
    this.nanoseconds = nanoseconds;
  }

  /** The zero duration. @returns {TimeValue} */
  static zero() {
    return new TimeValue(0, 0);
  }

  /** The time before all others. @returns {TimeValue} */
  static never() {
    return new TimeValue(Number.MIN_SAFE_INTEGER, 0);
  }

  /** The time after all others. @returns {TimeValue} */
  static forever() {
    return new TimeValue(Number.MAX_SAFE_INTEGER, 0);
  }

  /**
   * A time of seconds and nanoseconds.
   *
   * @param {number} seconds
   * @param {number} nanoseconds
   * @returns {TimeValue}
   * @throws {Error} if one of them is not a whole number from 0
   */
  static secsAndNs(seconds, nanoseconds) {
    return new TimeValue(seconds, nanoseconds);
  }

  /**
   * A time of seconds.
   *
   * @param {number} seconds
   * @returns {TimeValue}
   * @throws {Error} if it is not a whole number from 0
   */
  static secs(seconds) {
    return new TimeValue(seconds, 0);
  }

  /** `secs` by its other name. */
  static sec = TimeValue.secs;

  /**
   * A time of milliseconds.
   *
   * @param {number} milliseconds
   * @returns {TimeValue}
   * @throws {Error} if it is not a whole number from 0
   */
  static msecs(milliseconds) {
    return TimeValue.withUnits(milliseconds, TimeUnit.msec);
  }

  /** `msecs` by its other name. */
  static msec = TimeValue.msecs;

  /**
   * A time of microseconds.
   *
   * @param {number} microseconds
   * @returns {TimeValue}
   * @throws {Error} if it is not a whole number from 0
   */
  static usecs(microseconds) {
    return TimeValue.withUnits(microseconds, TimeUnit.usec);
  }

  /** `usecs` by its other name. */
  static usec = TimeValue.usecs;

  /**
   * A time of nanoseconds.
   *
   * @param {number} nanoseconds
   * @returns {TimeValue}
   * @throws {Error} if it is not a whole number from 0
   */
  static nsecs(nanoseconds) {
    return TimeValue.withUnits(nanoseconds, TimeUnit.nsec);
  }

  /** `nsecs` by its other name. */
  static nsec = TimeValue.nsecs;

  /**
   * @param {number} value  whole, from 0
   * @param {TimeUnit} unit
   * @returns {TimeValue}
   * @throws {Error} for a value that is negative, a fraction, or too large
   */
  static withUnits(value, unit) {
    if (!Number.isInteger(value)) throw new Error('Non-integer time values are illegal.');
    if (value < 0) throw new Error('Negative time values are illegal.');
    const totalNs = BigInt(value) * BigInt(unit);
    const seconds = totalNs / BigInt(nsPerSecond);
    if (seconds > Number.MAX_SAFE_INTEGER) {
      throw new Error('Unable to instantiate time value: value too large.');
    }
    return new TimeValue(Number(seconds), Number(totalNs % BigInt(nsPerSecond)));
  }

  /**
   * The sum; `never` and `forever` stay as they are whatever is added, except that their sum is
   * zero.
   *
   * @param {TimeValue} other
   * @returns {TimeValue}
   */
  add(other) {
    const isNever = this.isNever() || other.isNever();
    const isForever = this.isForever() || other.isForever();
    if (isNever && isForever) return TimeValue.zero();
    if (isNever) return TimeValue.never();
    if (isForever) return TimeValue.forever();
    let seconds = this.seconds + other.seconds;
    let nanoseconds = this.nanoseconds + other.nanoseconds;
    if (nanoseconds >= nsPerSecond) {
      seconds += 1;
      nanoseconds -= nsPerSecond;
    }
    return Number.isSafeInteger(seconds)
      ? new TimeValue(seconds, nanoseconds)
      : TimeValue.forever();
  }

  /**
   * The time from the other one to this one.
   *
   * @param {TimeValue} other
   * @returns {TimeValue}
   * @throws {Error} if the other is later
   */
  subtract(other) {
    let seconds = this.seconds - other.seconds;
    let nanoseconds = this.nanoseconds - other.nanoseconds;
    if (nanoseconds < 0) {
      seconds -= 1;
      nanoseconds += nsPerSecond;
    }
    if (seconds < 0) throw new Error('Negative time value.');
    return new TimeValue(seconds, nanoseconds);
  }

  /**
   * This time multiplied by a factor.
   *
   * @param {number} factor  from 0; it must give whole seconds and nanoseconds
   * @returns {TimeValue}
   * @throws {Error} for a negative factor, or one that gives a fraction
   */
  multiply(factor) {
    let seconds = this.seconds * factor;
    let nanoseconds = this.nanoseconds * factor;
    if (nanoseconds >= nsPerSecond) {
      const carried = Math.floor(nanoseconds / nsPerSecond);
      seconds += carried;
      nanoseconds -= carried * nsPerSecond;
    }
    return new TimeValue(seconds, nanoseconds);
  }

  /**
   * The absolute difference from the other time.
   *
   * @param {TimeValue} other
   * @returns {TimeValue}
   */
  difference(other) {
    return this.isEarlierThan(other) ? other.subtract(this) : this.subtract(other);
  }

  /**
   * Whether the times are the same.
   *
   * @param {TimeValue} other
   * @returns {boolean}
   */
  isEqualTo(other) {
    return this.seconds === other.seconds && this.nanoseconds === other.nanoseconds;
  }

  /** Whether this is zero. @returns {boolean} */
  isZero() {
    return this.seconds === 0 && this.nanoseconds === 0;
  }

  /** Whether this is the time before all others. @returns {boolean} */
  isNever() {
    return this.seconds === Number.MIN_SAFE_INTEGER && this.nanoseconds === 0;
  }

  /** Whether this is the time after all others. @returns {boolean} */
  isForever() {
    return this.seconds === Number.MAX_SAFE_INTEGER;
  }

  /**
   * Whether this time is shorter.
   *
   * @param {TimeValue} other
   * @returns {boolean}
   */
  isEarlierThan(other) {
    return (
      this.seconds < other.seconds ||
      (this.seconds === other.seconds && this.nanoseconds < other.nanoseconds)
    );
  }

  /**
   * Whether this time is longer.
   *
   * @param {TimeValue} other
   * @returns {boolean}
   */
  isLaterThan(other) {
    return other.isEarlierThan(this);
  }

  /** Milliseconds, rounded up. @returns {number} */
  toMilliseconds() {
    return this.seconds * 1000 + Math.ceil(this.nanoseconds / 1_000_000);
  }

  toString() {
    return `(${this.seconds} secs; ${this.nanoseconds} nsecs)`;
  }

  /** Seconds, and the nanoseconds of the rest. @returns {[seconds: number, nanoseconds: number]} */
  toTimeTuple() {
    return [this.seconds, this.nanoseconds];
  }

  /**
   * Nanoseconds in 64 bits, lowest byte first.
   *
   * @throws {Error} for a time of more than 584 years
   * @returns {Buffer}
   */
  toBinary() {
    const bytes = Buffer.alloc(8);
    let bits = neverBits;
    if (this.isForever()) bits = foreverBits;
    else if (this.seconds !== Number.MIN_SAFE_INTEGER) {
      bits = BigInt(this.seconds) * BigInt(nsPerSecond) + BigInt(this.nanoseconds);
      if (BigInt.asUintN(64, bits) !== bits) {
        throw new Error(
          `TimeValue ${this.toString()} is too big to fit into a 64 bit unsigned integer`,
        );
      }
    }
    bytes.writeBigUInt64LE(bits, 0);
    return bytes;
  }

  /**
   * The time of eight bytes.
   *
   * @param {Buffer} bytes  as `toBinary` makes them
   * @returns {TimeValue}
   * @throws {RangeError} for fewer than eight bytes
   */
  static fromBinary(bytes) {
    const bits = bytes.readBigUInt64LE(0);
    if (bits === neverBits) return TimeValue.never();
    if (bits === foreverBits) return TimeValue.forever();
    return new TimeValue(Number(bits / BigInt(nsPerSecond)), Number(bits % BigInt(nsPerSecond)));
  }
}

/** A logical time and a microstep. */
export class Tag {
  /**
   * @param {TimeValue} timeSinceEpoch
   * @param {number} [microstep]  whole, from 0
   * @throws {Error} for a microstep that is negative or a fraction
   */
  constructor(timeSinceEpoch, microstep = 0) {
    if (!Number.isInteger(microstep)) throw new Error('Microstep must be integer.');
    if (microstep < 0) throw new Error('Microstep must be positive.');
    /** @readonly */
    this.time = timeSinceEpoch;
    /** @readonly */
    this.microstep = microstep;
  }

  /**
   * Whether this tag is earlier: by its time, then by its microstep.
   *
   * @param {Tag} other
   * @returns {boolean}
   */
  isSmallerThan(other) {
    return (
      this.time.isEarlierThan(other.time) ||
      (this.time.isEqualTo(other.time) && this.microstep < other.microstep)
    );
  }

  /**
   * Whether this tag is earlier, or the same.
   *
   * @param {Tag} other
   * @returns {boolean}
   */
  isSmallerThanOrEqualTo(other) {
    return !other.isSmallerThan(this);
  }

  /**
   * Whether this tag is later.
   *
   * @param {Tag} other
   * @returns {boolean}
   */
  isGreaterThan(other) {
    return other.isSmallerThan(this);
  }

  /**
   * Whether this tag is later, or the same.
   *
   * @param {Tag} other
   * @returns {boolean}
   */
  isGreaterThanOrEqualTo(other) {
    return !this.isSmallerThan(other);
  }

  /**
   * Whether the tags are the same.
   *
   * @param {Tag} other
   * @returns {boolean}
   */
  isSimultaneousWith(other) {
    return this.microstep === other.microstep && this.time.isEqualTo(other.time);
  }

  /**
   * This tag plus a delay: a delay of zero gives the next microstep, none gives this tag.
   *
   * @param {TimeValue | undefined} delay
   * @returns {Tag}
   */
  getLaterTag(delay) {
    if (delay === undefined) return this;
    if (delay.isZero()) return new Tag(this.time, this.microstep + 1);
    return new Tag(delay.add(this.time), 0);
  }

  /**
   * The tag some microsteps later, at the same time.
   *
   * @param {number} count  whole
   * @returns {Tag}
   * @throws {Error} for a fraction, or a microstep before 0
   */
  getMicroStepsLater(count) {
    return new Tag(this.time, this.microstep + count);
  }

  /**
   * The time between two tags, never negative, without their microsteps.
   *
   * @param {Tag} other
   * @returns {TimeValue}
   */
  getTimeDifference(other) {
    return this.time.difference(other.time);
  }

  toString() {
    return `(${this.time.toString()}, ${this.microstep})`;
  }

  /**
   * Eight bytes of time and four of the microstep, lowest byte first.
   *
   * @returns {Buffer}
   * @throws {Error} for a time of more than 584 years, or a microstep of more than 31 bits
   */
  toBinary() {
    const bytes = Buffer.alloc(12);
    this.time.toBinary().copy(bytes, 0, 0);
    bytes.writeInt32LE(this.microstep, 8);
    return bytes;
  }

  /**
   * The tag of twelve bytes.
   *
   * @param {Buffer} bytes  as `toBinary` makes them
   * @returns {Tag}
   * @throws {RangeError} for fewer than twelve bytes
   */
  static fromBinary(bytes) {
    return new Tag(TimeValue.fromBinary(bytes), bytes.readUInt32LE(8));
  }
}

/** The source of an action's time. @type {Readonly<{ physical: 'physical', logical: 'logical' }>} */
export const Origin = Object.freeze({ physical: 'physical', logical: 'logical' });

/** @typedef {'physical' | 'logical'} Origin */

/** Microseconds since 1970, the resolution of physical time in reactor-ts. */
export const nowUs = () => Math.floor((performance.timeOrigin + performance.now()) * 1000);

/** @param {number} us  microseconds, whole */
export const timeOfUs = us => {
  const seconds = Math.floor(us / 1_000_000);
  return new TimeValue(seconds, (us - seconds * 1_000_000) * 1000);
};

/** Physical time since 1970, in whole microseconds. @returns {TimeValue} */
export const getCurrentPhysicalTime = () => timeOfUs(nowUs());

/**
 * The nanoseconds of a duration; Infinity for `forever` and for durations too long for a number.
 *
 * @param {TimeValue | 0 | undefined} duration  anything but a time value counts as 0, as in
 *   reactor-ts
 */
export const nsOf = duration => {
  if (!(duration instanceof TimeValue)) return 0;
  const [seconds, nanoseconds] = duration.toTimeTuple();
  const ns = seconds * nsPerSecond + nanoseconds;
  return ns <= Number.MAX_SAFE_INTEGER ? ns : Infinity;
};

/** @param {number} ns  whole, from 0 */
export const timeOfNs = ns => {
  const seconds = Math.floor(ns / nsPerSecond);
  return new TimeValue(seconds, ns - seconds * nsPerSecond);
};
