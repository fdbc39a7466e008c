/** Whether a process holds a folder: by its lock, and where no database can be loaded or the lock is broken by its number. */
import { isProcess } from '../store/is-process.ts';

/** `pid`: of the last start, null when unknown. */
export type IsFolderHeld = (folder: string, pid: number | null) => boolean;

export const byProcess: IsFolderHeld = (_, pid) => pid !== null && isProcess(pid);

/** `waitMs`: for a lock that another command holds for a moment. */
export async function byLock(waitMs?: number): Promise<IsFolderHeld> {
  try {
    const { isLocked } = await import('../../journal/files/lock.ts');
    return (folder, pid) => isLocked(folder, waitMs) ?? byProcess(folder, pid);
  } catch {
    return byProcess;
  }
}
