/** Capacities and waits (ms) that a fault simulation may lower; each is read once. Proofs do not rest on them. */

export type Knob =
  /** Dispatch to last answer byte; per lane. */
  | 'request-deadline'
  /** In the queue; per lane. */
  | 'request-wait'
  /** Length; per lane. */
  | 'request-queue'
  /** Of a class. */
  | 'requests-under-way'
  /** Items. */
  | 'page'
  /** Start to login. */
  | 'socket-opening'
  /** First reconnect delay. */
  | 'socket-again'
  | 'channels-per-request'
  /** Quiet time until private channels are ready. */
  | 'private-silence'
  /** Orders. */
  | 'cancels-per-request'
  /** Unknown orders whose early events are kept. */
  | 'strays'
  | 'depth-buffer'
  | 'snapshot-wait';

/** Returns 1 to `written`. */
export type Knobs = (knob: Knob, written: number) => number;

export const asWritten: Knobs = (_knob, written) => written;
