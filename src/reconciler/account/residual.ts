/**
 * Judges whether a balance or position is explained. A difference counts only after it was unchanged for as long as
 * trade lists lag. Otherwise a late fill would be booked twice.
 */
import { decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';

export type ResidualVerdict =
  | { readonly kind: 'explained' }
  /** Seen once, or it moved. */
  | { readonly kind: 'watch' }
  /** `since`: first snapshot, Unix ms. `intents`: own ones decided until then. */
  | { readonly kind: 'residual'; readonly difference: Decimal; readonly since: number; readonly intents: number };

export type Residual = Extract<ResidualVerdict, { kind: 'residual' }>;

export interface CheckFacts {
  readonly asOf: number;
  /** Own intents decided until then. */
  readonly intents: number;
  /**
   * Count of the oldest own intent in flight; `Infinity`: none; 0: something else. A later difference is no evidence.
   */
  readonly movingFrom: number;
}

export function isStill({ movingFrom }: CheckFacts, verdict?: ResidualVerdict): boolean {
  return movingFrom === Number.POSITIVE_INFINITY || (verdict?.kind === 'residual' && verdict.intents < movingFrom);
}

export interface SeenDifference {
  readonly difference: string;
  readonly explained: Decimal;
  readonly since: number;
  readonly intents: number;
}

/** The cause at `ts` (Unix ms) is booked, so a later difference has another cause. */
export function explainedSince(seen: Map<string, SeenDifference>, key: string, ts: number): void {
  const since = seen.get(key)?.since;
  if (since !== undefined && ts <= since) seen.delete(key);
}

/** `lagMs`: largest lag of trades behind balances. */
export function judgeResidual(
  seen: Map<string, SeenDifference>,
  key: string,
  reported: Decimal,
  explained: Decimal,
  { asOf, intents }: Omit<CheckFacts, 'movingFrom'>,
  { tolerance, lagMs }: { readonly tolerance: Decimal; readonly lagMs: number },
): ResidualVerdict {
  const difference = reported.minus(explained);
  const before = seen.get(key);
  if (difference.abs().lte(tolerance)) {
    seen.delete(key);
    return { kind: 'explained' };
  }
  const text = decimalText(difference);
  // The earlier difference is booked. This one has the same size.
  const isAnother = before !== undefined && explained.minus(before.explained).eq(difference);
  if (before?.difference !== text || isAnother) {
    seen.set(key, { difference: text, explained, since: asOf, intents });
    return { kind: 'watch' };
  }
  return asOf > before.since && asOf - before.since >= lagMs
    ? { kind: 'residual', difference, since: before.since, intents: before.intents }
    : { kind: 'watch' };
}

/**
 * An opening contains exactly the trades up to one moment. External trades go on meanwhile, and clocks differ, so one
 * may be booked twice or not at all. True: the difference comes from that. `moves`: effects of external trades, Unix ms
 * of the exchange.
 */
export function isOfOpening(
  { difference, since }: Residual,
  openedAt: number,
  moves: readonly { readonly ts: number; readonly amount: Decimal }[],
  lagMs: number,
): boolean {
  if (since - openedAt > 2 * lagMs) return false;
  const beside = moves
    .filter(({ ts }) => Math.abs(ts - openedAt) <= lagMs)
    .toSorted((left, right) => left.ts - right.ts);
  const held = sums(beside.filter(({ ts }) => ts >= openedAt));
  const missed = sums(beside.filter(({ ts }) => ts < openedAt).toReversed());
  return held.some((sum) => sum.neg().eq(difference)) || missed.some((sum) => sum.eq(difference));
}

function sums(moves: readonly { readonly amount: Decimal }[]): readonly Decimal[] {
  let sum = ZERO;
  return moves.map(({ amount }) => (sum = sum.plus(amount)));
}
