// Names that mean something to JavaScript, to the file system or to a terminal, for vats, bundles and devices of a config. The
// test writes the configs.
