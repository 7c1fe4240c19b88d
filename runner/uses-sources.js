// Names the commands that run the sources and never the pack.

/**
 * `diagram` loads users' programs, which import reactors from this package. Node gives them the
 * classes of the sources; those of the pack would be different classes.
 *
 * @param {readonly string[]} args  of the command line; any position of the command counts
 */
export const usesSources = args => args.includes('diagram');
