/** Memory shared by main thread (writer) and supervisor (reader). */

const fields = {
  /** By the event loop, or a backtest's replay. */
  beat: 0,
  /** Set while a missing beat matters. */
  armed: 1,
  /** Set after a signal. */
  ending: 2,
  /** Set after a second one. */
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
