/** Memory shared by main thread (writer) and supervisor (reader). */

const fields = {
  /** Increments with the event loop, or with the replay in a backtest. */
  beat: 0,
  /** 1 while a missing beat matters. */
  armed: 1,
  /** 1 after a signal, during the orderly end. */
  ending: 2,
  /** 1 after a second signal. */
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
