/**
 * Flags of Node for each thread that is started beside the main one: a report of a crash (`--report-…`) has a section of every
 * thread, with the environment, and that holds keys. What `main.ts` sets for the main thread does not hold for others.
 */

export const THREAD_FLAGS: readonly string[] = ['--report-exclude-env'];
