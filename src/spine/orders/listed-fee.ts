/** Corrects the fee of a booked trade to the list of own trades, by fills of no quantity. */
import type { VenueFill } from '../../model/trading/fill.ts';
import { feeCorrectionId } from '../../model/trading/fee-correction.ts';
import { dec, decimalText, type Decimal, ZERO } from '../../model/numbers/money.ts';
import type { OwnOrder } from './own-order.ts';

/** One for each currency. Empty when the fee is as booked, or the trade is not booked. */
export function feeCorrections(order: OwnOrder, listed: VenueFill): readonly VenueFill[] {
  const { trades } = order.progress;
  const booked = trades?.termsOf(listed.tradeId);
  if (trades === null || booked === undefined) return [];
  let next = 1;
  let correction = trades.termsOf(feeCorrectionId(listed.tradeId, next));
  if (correction === undefined && booked.fee === listed.fee && isSame(booked.feeCurrency, listed)) return [];
  const owed = new Map<string, Decimal>([[listed.feeCurrency, dec(listed.fee)]]);
  const paid = (fee: string, currency = listed.feeCurrency): void =>
    void owed.set(currency, (owed.get(currency) ?? ZERO).minus(fee));
  paid(booked.fee, booked.feeCurrency);
  for (; correction !== undefined; correction = trades.termsOf(feeCorrectionId(listed.tradeId, ++next)))
    paid(correction.fee, correction.feeCurrency);
  const { realizedPnl: _whole, ...terms } = listed;
  const { side, positionSide } = order;
  return [...owed]
    .filter(([, amount]) => !amount.isZero())
    .map(([feeCurrency, amount], index) =>
      Object.freeze({
        ...terms,
        side,
        ...(positionSide === 'both' ? {} : { positionSide }),
        tradeId: feeCorrectionId(listed.tradeId, next + index),
        quantity: '0',
        fee: decimalText(amount),
        feeCurrency,
      }),
    );
}

function isSame(booked: string | undefined, { feeCurrency }: VenueFill): boolean {
  return booked === undefined || booked === feeCurrency;
}
