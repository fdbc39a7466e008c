/**
 * The number of the newest durable row, in memory shared by both threads. The session stores and notifies, which costs
 * less than a microsecond and never waits. The server wakes at most once in 10 ms and reads the journal by itself.
 */

const NEWEST = 0;

export class DurableMark {
  readonly memory: Int32Array<SharedArrayBuffer>;

  constructor(memory = new Int32Array(new SharedArrayBuffer(4))) {
    this.memory = memory;
  }

  /** In the session. */
  readonly set = (seq: number): void => {
    Atomics.store(this.memory, NEWEST, seq);
    Atomics.notify(this.memory, NEWEST);
  };

  get seq(): number {
    return Atomics.load(this.memory, NEWEST);
  }

  /** In the server: resolves when it is no longer `known`, or after the time. */
  async changed(known: number, withinMs: number): Promise<void> {
    const wait = Atomics.waitAsync(this.memory, NEWEST, known, withinMs);
    if (wait.async) await wait.value;
  }
}
