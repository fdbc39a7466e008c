/** Whether a process of this number exists. Numbers are used again, so true proves little; false proves an end. */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It exists and is another user's.
    return (thrown as { readonly code?: unknown }).code === 'EPERM';
  }
}
