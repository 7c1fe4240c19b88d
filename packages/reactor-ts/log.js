// The log of reactor-ts: levels, a global logger and one for each module. It prints to the console.

/** @typedef {'fatal' | 'error' | 'warn' | 'info' | 'debug'} LogLevel */

/** @type {Readonly<Record<'FATAL' | 'ERROR' | 'WARN' | 'INFO' | 'DEBUG', LogLevel>>} */
const LogLevel = Object.freeze({
  FATAL: 'fatal',
  ERROR: 'error',
  WARN: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
});

const severities = Object.freeze({
  silent: 0,
  fatal: 1,
  error: 2,
  warn: 3,
  info: 4,
  debug: 5,
  trace: 6,
});

/** @typedef {keyof typeof severities} Level */

class Logger {
  /**
   * @param {Level} level  less severe messages are not printed
   * @param {string} [module]
   */
  constructor(level, module = undefined) {
    /** @type {string} */
    this.level = level;
    this.module = module;
  }

  /** @param {string} level */
  isLevelEnabled(level) {
    const of = /** @type {(name: string) => number} */ (
      name => (Object.hasOwn(severities, name) ? severities[/** @type {Level} */ (name)] : 0)
    );
    return of(level) > 0 && of(level) <= of(this.level);
  }

  /** @param {{ module: string }} bindings */
  child({ module }) {
    return new Logger(/** @type {Level} */ (this.level), module);
  }

  /** @param {unknown} message */
  fatal(message) {
    this.#print('fatal', message);
  }

  /** @param {unknown} message */
  error(message) {
    this.#print('error', message);
  }

  /** @param {unknown} message */
  warn(message) {
    this.#print('warn', message);
  }

  /** @param {unknown} message */
  info(message) {
    this.#print('info', message);
  }

  /** @param {unknown} message */
  debug(message) {
    this.#print('debug', message);
  }

  /** @param {unknown} message */
  trace(message) {
    this.#print('trace', message);
  }

  /**
   * @param {Level} level
   * @param {unknown} message
   */
  #print(level, message) {
    if (!this.isLevelEnabled(level)) return;
    console.log(`${level.toUpperCase()} (reactor-ts): ${String(message)}`);
    if (this.module !== undefined) console.log(`    module: "${this.module}"`);
  }
}

const globalLogger = new Logger('error');

/** @type {Map<string, Logger>} */
const loggers = new Map();

/**
 * @param {Exclude<Level, 'silent' | 'trace'>} level
 * @returns {(subject: unknown, message: () => string, module?: string) => void}  calls `message`
 *   only if it is printed
 */
const printer = level => (subject, message, module) => {
  const logger = module === undefined ? globalLogger : Log.getInstance(module);
  if (logger.isLevelEnabled(level)) logger[level](message.call(subject));
};

/**
 * The log of a program: loggers by module, and a function for each level, which calls `message` only if the level is
 * shown.
 */
export const Log = {
  LogLevel,
  globalLogger,
  /** A line between parts of the log. */
  hr: '='.repeat(80),

  /**
   * The logger of a module.
   *
   * @param {string} module
   * @returns {Logger}
   */
  getInstance(module) {
    let logger = loggers.get(module);
    if (logger === undefined) {
      logger = globalLogger.child({ module });
      loggers.set(module, logger);
    }
    return logger;
  },

  /**
   * Print messages of at least this severity.
   *
   * @param {LogLevel} severity
   * @param {string} [module]  by default the global logger
   */
  setLevel(severity, module) {
    const logger = module === undefined ? globalLogger : loggers.get(module);
    if (logger !== undefined) logger.level = severity;
  },

  fatal: printer('fatal'),
  error: printer('error'),
  warn: printer('warn'),
  info: printer('info'),
  log: printer('info'),
  debug: printer('debug'),
};
