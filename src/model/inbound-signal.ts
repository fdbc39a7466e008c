/** A message from outside for strategies: an alert of another program, a forecast. Recorded, so that a replay has it too. */
import type { Json } from './text/json.ts';
import type { Cancel } from './ports.ts';

export interface InboundSignal {
  /** What `signals(name)` listens to. */
  readonly name: string;
  /** Of the sender, unique within the name: a repeated one is not delivered again. */
  readonly id: string;
  /** The sender's time, else that of the receipt; Unix ms. */
  readonly ts: number;
  readonly data: Json;
}

export interface SignalSource {
  listen(listener: (signal: InboundSignal) => void): Cancel;
}

export const noSignals: SignalSource = { listen: () => () => {} };
