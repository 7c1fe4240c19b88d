// The commands that run the sources and never the pack.

/**
 * `diagram` loads programs of the user's, which import reactors from this package: Node gives them the sources, and the
 * classes of the pack would be other ones.
 *
 * @param {readonly string[]} args  of the command line; naming the command anywhere is enough
 */
export const usesSources = args => args.includes('diagram');
