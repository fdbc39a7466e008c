/** Runs after all pending promise chains, before other event-loop work. */
export function afterTurn(run: () => void): void {
  queueMicrotask(() => process.nextTick(run));
}
