/**
 * Whether a process with this number exists. Numbers are reused, so true is weak evidence; false shows that it has
 * ended.
 */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It exists and is another user's.
    return (thrown as { readonly code?: unknown }).code === 'EPERM';
  }
}
