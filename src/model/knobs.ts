/**
 * Limits of our own that a test may turn (BUGGIFY, reliability §3.3): capacities down to one, waits down to nothing. Each is
 * asked once, when its part is made, and stays as written wherever nobody turns it, so that it costs nothing. What a proof
 * rests on (fence, lag of histories, signature window) is no knob: with less of it a right conclusion would be a wrong one.
 */

export type Knob =
  /** From dispatch to the last byte of an answer, ms; per lane. */
  | 'request-deadline'
  /** How long a request may wait for its turn, ms; per lane. */
  | 'request-wait'
  /** Requests that may wait in one lane. */
  | 'request-queue'
  /** Requests of a class under way. */
  | 'requests-under-way'
  /** Items of a page of a list. */
  | 'page'
  /** From the start of a connection to its login, ms. */
  | 'socket-opening'
  /** The first wait before a connection is made anew, ms. */
  | 'socket-again'
  /** Channels of one request. */
  | 'channels-per-request'
  /** How long private channels may keep silent before the stream counts as ready, ms. */
  | 'private-silence'
  /** Orders of one cancel. */
  | 'cancels-per-request'
  /** Unknown orders whose early events are kept. */
  | 'strays'
  /** Depth messages that wait for their snapshot. */
  | 'depth-buffer'
  /** The first wait for a snapshot, ms. */
  | 'snapshot-wait';

/** What to take in place of the written value; never more than it, never below 1. */
export type Knobs = (knob: Knob, written: number) => number;

export const asWritten: Knobs = (_knob, written) => written;
