/**
 * The commands by which a human lets a stopped or held back session go on, whole, as they are typed: what a message shows
 * has to work when it is copied. Used by the live screen, the plan and alerts.
 */
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

/** Takes the latch off a strategy. */
export function enableCommand(session: string, tag: string): string {
  return `npx tidewire limits enable ${session} ${tag} ${REASON}`;
}

/** Takes the halt off a symbol. */
export function resumeCommand(session: string, symbol: string): string {
  return `npx tidewire limits resume ${session} ${symbol} ${REASON}`;
}
