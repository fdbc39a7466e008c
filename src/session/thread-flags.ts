/** Crash reports (`--report-…`) would include the environment with its keys. */

export const THREAD_FLAGS: readonly string[] = ['--report-exclude-env'];
