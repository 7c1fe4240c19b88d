// The environment of an npm that is run from within npm.

/** Without the variables that npm sets for its scripts, which would mislead another npm. The user's settings are kept. */
export const npmEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(package|lifecycle)_|^npm_(command|execpath|config_local_prefix)$/i.test(name),
  ),
);
