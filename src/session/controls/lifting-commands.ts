/** Commands that resume a session, ready to copy. */
const REASON = '--reason "…"';

export function clearKillCommand(session: string): string {
  return `npx tidewire journal clear-kill ${session} ${REASON}`;
}

export function approveBuildCommand(session: string): string {
  return `npx tidewire journal approve-build ${session} ${REASON}`;
}

export function acknowledgeCommand(session: string): string {
  return `npx tidewire journal acknowledge ${session} ${REASON}`;
}

export function enableCommand(session: string, tag: string): string {
  return `npx tidewire limits enable ${session} ${tag} ${REASON}`;
}

export function resumeCommand(session: string, symbol: string): string {
  return `npx tidewire limits resume ${session} ${symbol} ${REASON}`;
}

export function unpauseCommand(session: string, tag: string): string {
  return `npx tidewire resume ${tag} --session ${session} ${REASON}`;
}
