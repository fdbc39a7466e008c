/**
 * The end of the present turn: everything that promises do by then is done, however long their chains, and nothing else of
 * the event loop has run. A tick that a microtask queues comes after every other microtask.
 */
export function afterTurn(run: () => void): void {
  queueMicrotask(() => process.nextTick(run));
}
