/** Which session a command means that names none. */
import { isRunning } from './is-running.ts';
import { isOver, type SessionFolder } from './store.ts';

/** The one that runs, else the newest that a start may resume, else the newest. `sessions`: newest first. */
export function presentSession(sessions: readonly SessionFolder[]): SessionFolder | undefined {
  return sessions.find(runs) ?? sessions.find(({ record }) => !isOver(record)) ?? sessions[0];
}

/** If its lock cannot be asked, it may run. */
function runs(session: SessionFolder): boolean {
  try {
    return isRunning(session);
  } catch {
    return true;
  }
}
