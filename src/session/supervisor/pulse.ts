/**
 * The memory that the main thread and its supervisor share: what must be known of a thread that does not answer any more.
 * The main thread writes, the supervisor's thread reads.
 */

/** One number each. */
const fields = {
  /** Counts on for as long as the event loop turns; in a backtest, for as long as the replay goes on. */
  beat: 0,
  /** 1 while a beat that stays away means something. */
  armed: 1,
  /** 1 once the main thread has heard a signal and ends in order. */
  ending: 2,
  /** 1 once a second signal asked for an end at once. */
  atOnce: 3,
} as const;

export type PulseField = keyof typeof fields;

export class Pulse {
  readonly memory: Int32Array;

  constructor(memory: Int32Array = new Int32Array(new SharedArrayBuffer(Object.keys(fields).length * 4))) {
    this.memory = memory;
  }

  beat(): void {
    Atomics.add(this.memory, fields.beat, 1);
  }

  set(field: Exclude<PulseField, 'beat'>, isOn: boolean): void {
    Atomics.store(this.memory, fields[field], isOn ? 1 : 0);
  }

  get(field: PulseField): number {
    return Atomics.load(this.memory, fields[field]);
  }
}
