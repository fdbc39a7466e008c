/** Largest distance of a limit price from the mid. */
import { denied, type Denied } from '../../model/deny-reason.ts';
import { amountText } from '../../model/money.ts';
import type { Candidate, RiskFacts } from '../facts.ts';

export function collarDenial(order: Candidate, facts: RiskFacts, collar: number): Denied | null {
  // An exit must not depend on market data.
  if (order.isMarket && order.exits) return null;
  if (Number.isNaN(facts.midTicks)) {
    return denied(
      'no_market',
      `${order.instrument.symbol}: there is no book or close yet, so the price cannot be checked`,
    );
  }
  if (order.isMarket) return null;
  const distance = Math.abs(order.ticks - facts.midTicks) / facts.midTicks;
  if (distance <= collar) return null;
  const { instrument } = order;
  const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;
  return denied(
    'price_collar',
    `${instrument.symbol}: price ${instrument.priceText(order.ticks)} is ${percent(distance)} from the mid ${amountText(facts.midTicks * instrument.tick)}, more than ${percent(collar)}`,
    'price',
  );
}
