/**
 * Why the fills of a session differ in value from the simulated fills of the same orders:
 *
 *   session    ├── both ──┤ more ┤      matched: another fee → fees, another price → rest
 *   simulated  ├── both ──┤             unmatched: resting → queue or missed fills, else missed fills
 *
 * A resting order missed a fill if it lacks what the last order in the queue would get (`sure`).
 */
import { type Decimal, dec, ZERO, smaller, greater } from '../../model/numbers/money.ts';
import type { DriftPart } from './parts.ts';
import type { TradeFill, TradeValue } from './trade-value.ts';

/** In order of time. */
export interface OrderFills {
  readonly session: readonly TradeFill[];
  readonly simulated: readonly TradeFill[];
  /** Quantity filled even at the end of every queue. */
  readonly sure: Decimal;
}

export type OrderEffects = Partial<Record<DriftPart, Decimal>>;

interface Slice {
  readonly fill: TradeFill;
  readonly quantity: Decimal;
}

interface Matched {
  readonly both: readonly { readonly session: TradeFill; readonly simulated: TradeFill; readonly quantity: Decimal }[];
  readonly session: readonly Slice[];
  readonly simulated: readonly Slice[];
}

function match(session: readonly TradeFill[], simulated: readonly TradeFill[]): Matched {
  const left = session.map((fill) => ({ fill, quantity: dec(fill.quantity) }));
  const right = simulated.map((fill) => ({ fill, quantity: dec(fill.quantity) }));
  const both: { session: TradeFill; simulated: TradeFill; quantity: Decimal }[] = [];
  while (left[0] !== undefined && right[0] !== undefined) {
    const quantity = smaller(left[0].quantity, right[0].quantity);
    both.push({ session: left[0].fill, simulated: right[0].fill, quantity });
    for (const side of [left, right]) {
      const first = side[0]!;
      first.quantity = first.quantity.minus(quantity);
      if (first.quantity.isZero()) side.shift();
    }
  }
  return { both, session: left, simulated: right };
}

class Effects {
  readonly sums: OrderEffects = {};

  add(part: DriftPart, amount: Decimal): void {
    if (!amount.isZero()) this.sums[part] = (this.sums[part] ?? ZERO).plus(amount);
  }
}

export function attributeOrder({ session, simulated, sure }: OrderFills, value: TradeValue): OrderEffects {
  const effects = new Effects();
  const matched = match(session, simulated);
  for (const { session: own, simulated: other, quantity } of matched.both) {
    effects.add('rest', value.gross(own, quantity).minus(value.gross(other, quantity)));
    effects.add('fees', value.simulatedFee(other, quantity).minus(value.simulatedFee(own, quantity)));
  }
  // Fees beyond the simulation's rates.
  for (const fill of session) effects.add('fees', surcharge(fill, value).neg());
  for (const fill of simulated) effects.add('fees', surcharge(fill, value));
  for (const slice of matched.session) effects.add(partOf(slice.fill), worthOf(slice, value));
  const filled = session.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  let missed = greater(ZERO, sure.minus(filled));
  for (const { fill, quantity } of matched.simulated) {
    const sureToo = partOf(fill) === 'queue' ? smaller(missed, quantity) : quantity;
    missed = greater(ZERO, missed.minus(sureToo));
    effects.add('missedFills', worthOf({ fill, quantity: sureToo }, value).neg());
    effects.add('queue', worthOf({ fill, quantity: quantity.minus(sureToo) }, value).neg());
  }
  return effects.sums;
}

function surcharge(fill: TradeFill, value: TradeValue): Decimal {
  return value.fee(fill).minus(value.simulatedFee(fill, dec(fill.quantity)));
}

function partOf({ liquidity }: TradeFill): 'queue' | 'missedFills' {
  return liquidity === 'maker' ? 'queue' : 'missedFills';
}

function worthOf({ fill, quantity }: Slice, value: TradeValue): Decimal {
  return value.gross(fill, quantity).minus(value.simulatedFee(fill, quantity));
}
