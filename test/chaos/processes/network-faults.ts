/**
 * The faults of the proxy and how often each strikes: per request, per answer, per frame of a socket or per connection.
 * Every life of a bot draws a subset and rates (swarm testing), so that rare combinations are not drowned.
 */
import type { Random } from '../../../src/model/ports.ts';

/** Highest chance that a life draws. */
const highest = {
  // Per connection.
  resetAtConnect: 0.2,
  /** Per life: nobody listens for a while. */
  outage: 0.4,
  // Per request.
  idleClosed: 0.15,
  requestCut: 0.25,
  requestSwallowed: 0.03,
  requestDelayed: 0.3,
  // Per answer, when the exchange has done what was asked.
  answerCut: 0.3,
  answerSwallowed: 0.03,
  answerDelayed: 0.3,
  answerGarbage: 0.1,
  answerReset: 0.3,
  // Per piece of bytes, either way.
  split: 0.3,
  merged: 0.3,
  throttled: 0.1,
  // Per piece of bytes from the socket.
  frameCut: 0.02,
  frameSwallowed: 0.005,
  frameDelayed: 0.2,
  frameGarbage: 0.01,
} as const;

export type FaultRates = Readonly<Record<keyof typeof highest, number>>;

const kinds = Object.keys(highest) as readonly (keyof typeof highest)[];

export const calm: FaultRates = Object.fromEntries(kinds.map((kind) => [kind, 0])) as FaultRates;

export function drawRates(random: Random): FaultRates {
  const share = 0.15 + random.next() * 0.55;
  return Object.fromEntries(
    kinds.map((kind) => {
      const isIn = random.next() < share;
      const rate = highest[kind] * random.next();
      return [kind, isIn ? rate : 0];
    }),
  ) as FaultRates;
}
