/** Counts all orders in the order's direction, unresolved ones too, as filled. */
import { denied, type Denied } from '../../model/deny-reason.ts';
import { amountText } from '../../model/money.ts';
import { worstLots, type Candidate, type Exposure, type Limits, type RiskFacts } from '../facts.ts';
import { isWithin } from './within.ts';

export function positionDenial(
  order: Candidate,
  facts: RiskFacts,
  exposure: Exposure,
  limits: Limits,
  whose: string,
): Denied | null {
  if (order.exits) return null;
  const worst = worstLots(exposure, order.side, order.lots);
  if (worst <= 0) return null;
  const { instrument } = order;
  if (worst > limits.maxPositionLots) {
    const could = amountText(instrument.quantityOf(worst));
    return denied(
      'max_position',
      `${instrument.symbol}: the position of ${whose} could reach ${could}, above ${instrument.quantityText(limits.maxPositionLots)}`,
    );
  }
  if (limits.maxPositionValue === Number.POSITIVE_INFINITY) return null;
  const price = Number.isNaN(facts.midTicks) ? facts.referenceTicks : facts.midTicks;
  const value = worst * price * facts.unitValue;
  if (isWithin(value, limits.maxPositionValue)) return null;
  return denied(
    'max_position',
    `${instrument.symbol}: the position of ${whose} could be worth ${value.toFixed(2)}, above ${limits.maxPositionValue}`,
  );
}
