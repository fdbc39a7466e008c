/**
 * Result of one strategy since the first start of its session: realised and open, less fees, with funding. Based on the
 * positions of the spine, so that the session, a replica of its journal and a restart have the same figure. Valued as
 * the session is, so that the strategies sum to its `netPnl`.
 */
import { dec, type Decimal } from '../../model/numbers/money.ts';
import { realizedValue, type HeldPosition } from '../../spine/positions.ts';
import { Amounts } from './amounts.ts';

/** Null where something has no price. */
export interface KnownPrices {
  known(amounts: Amounts): Decimal | null;
}

/** Reporting currency, at these prices; null where something has none. */
export function strategyPnl(positions: readonly HeldPosition[], tag: string, prices: KnownPrices): number | null {
  const amounts = new Amounts();
  for (const held of positions) if (held.strategy === tag) addMoved(amounts, held);
  return prices.known(amounts)?.toNumber() ?? null;
}

/** Adds what its fills, fees and funding moved. */
function addMoved(amounts: Amounts, held: HeldPosition): void {
  const { instrument, position, costValue, otherFees } = held;
  const money = dec(realizedValue(held)).minus(costValue);
  if (instrument.market === 'spot') {
    amounts.add(instrument.base, position.quantity);
    amounts.add(instrument.quote, money);
  } else {
    amounts.addContracts(instrument, position.quantity);
    amounts.add(instrument.settle, money);
  }
  for (const [currency, fee] of otherFees ?? []) amounts.spend(currency, fee);
}
