/**
 * Money of spot orders, exact: a buy locks price × quantity of quote, a sell its base; nothing is locked for fees. Each
 * side settles against the market account, which returns to its old value after both.
 */
import type { Instrument } from '../model/market/instrument.ts';
import type { Decimal } from '../model/numbers/money.ts';
import type { Side } from '../model/trading/order.ts';
import type { Wallet } from './accounts.ts';
import type { Fee } from './fees.ts';
import type { Pocket } from './pocket.ts';

export interface SpotPockets {
  readonly base: Pocket;
  readonly quote: Pocket;
}

export function spotPockets(wallet: Wallet, { base, quote }: Instrument): SpotPockets {
  return { base: wallet.pocket(base), quote: wallet.pocket(quote) };
}

export function payingPocket({ base, quote }: SpotPockets, side: Side): Pocket {
  return side === 'buy' ? quote : base;
}

export function spotLock(instrument: Instrument, side: Side, ticks: number, lots: number): Decimal {
  return side === 'buy' ? instrument.exactNotional(ticks, lots) : instrument.exactQuantity(lots);
}

export interface SpotFill {
  readonly quantity: Decimal;
  /** Price × quantity. */
  readonly value: Decimal;
  /** Locked for this part of the order. */
  readonly released: Decimal;
  readonly feeRate: Decimal;
}

/** Quote moves before base; balances are reported in that order. */
export function settleSpot({ base, quote }: SpotPockets, side: Side, fill: SpotFill): Fee {
  const { quantity, value, released, feeRate } = fill;
  if (side === 'sell') {
    const fee = receive(quote, value, feeRate);
    base.spend(quantity, released, 'market');
    return fee;
  }
  quote.spend(value, released, 'market');
  return receive(base, quantity, feeRate);
}

function receive(pocket: Pocket, received: Decimal, feeRate: Decimal): Fee {
  const amount = received.times(feeRate);
  pocket.receive(received.minus(amount), 'market');
  pocket.betweenHouse(amount, 'market', 'fees');
  return { currency: pocket.currency, amount };
}
