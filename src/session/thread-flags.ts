/** Flags of every worker thread: crash reports (`--report-…`) include its environment with keys. */

export const THREAD_FLAGS: readonly string[] = ['--report-exclude-env'];
