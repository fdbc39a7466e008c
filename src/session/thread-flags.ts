/** Crash reports (`--report-…`) of a worker thread include its environment with keys. */

export const THREAD_FLAGS: readonly string[] = ['--report-exclude-env'];
