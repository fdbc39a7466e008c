/** Denials of `advertise` and `p2pTrade`. Pure. */
import type { AdvertiseAction, P2pTradeAction } from '../model/trading/action.ts';
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { MoneyRequest } from '../model/funds/money-commands.ts';
import { dec, decimalOrNull, decimalText, type Decimal } from '../model/numbers/money.ts';
import type { SpreadOf } from '../model/funds/p2p-price-rule.ts';
import type { P2pMarket, P2pTradeStatus } from '../model/funds/p2p.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isRetreat } from '../spine/money/kinds.ts';
import { boundsOf, type P2pBook } from './p2p-book.ts';
import { blockedBy, stoppingDenial, type TreasuryPort } from './port.ts';

interface Step {
  readonly kind: 'startTrade' | 'payTrade' | 'confirmTrade' | 'disputeTrade' | 'cancelTrade';
  readonly from: readonly P2pTradeStatus[];
}

/** Documented and assumed steps (interface, "P2P trade"). */
const steps: Readonly<Record<P2pTradeAction['do'], Step>> = {
  start: { kind: 'startTrade', from: ['open:wait-confirm'] },
  pay: { kind: 'payTrade', from: ['open'] },
  confirm: { kind: 'confirmTrade', from: ['send-payment-document', 'dispute:open'] },
  dispute: { kind: 'disputeTrade', from: ['send-payment-document'] },
  cancel: { kind: 'cancelTrade', from: ['open:wait-confirm', 'open'] },
};

/** Only the strategy can say that money arrived. */
export function tradeRequest({ tradeId, do: step, reason }: P2pTradeAction): MoneyRequest {
  const { kind } = steps[step];
  if (kind !== 'disputeTrade') return { kind, tradeId };
  return { kind, tradeId, reason: reason ?? 'the payment did not arrive' };
}

export function tradeDenial(
  port: TreasuryPort,
  book: P2pBook,
  slot: StrategySlot,
  action: P2pTradeAction,
): Denied | null {
  const { tag } = slot;
  const { tradeId, do: step } = action;
  const notAllowed = p2pDenial(slot);
  if (notAllowed !== null) return notAllowed;
  const trade = book.trades.get(tradeId);
  if (trade === undefined || port.state.money.advertiserOf(trade.advertisementId) !== tag)
    return denied('unknown_trade', `${tradeId} is no trade of an advertisement of ${tag}`, 'tradeId');
  if (!steps[step].from.includes(trade.status))
    return denied('superseded', `trade ${tradeId} is ${trade.status}: no ${step} from there`, 'do');
  // Neither moves money.
  if (step === 'dispute' || isRetreat(tradeRequest(action))) return null;
  return stoppingDenial(port, tag) ?? blockedBy(port);
}

export function advertiseDenial(
  port: TreasuryPort,
  book: P2pBook,
  slot: StrategySlot,
  action: AdvertiseAction,
  spreadOf: SpreadOf,
): Denied | null {
  const { marketId, active = true } = action;
  const denial = p2pDenial(slot) ?? stoppingDenial(port, slot.tag);
  if (denial !== null) return denial;
  const market = book.markets.get(marketId);
  if (market === undefined) {
    const reason = book.markets.size === 0 ? 'no_market' : 'unknown_symbol';
    return denied(reason, `the P2P pair ${marketId} is not known`, 'marketId');
  }
  return active ? (termsDenial(action, market, spreadOf) ?? blockedBy(port)) : null;
}

function p2pDenial({ tag, limits }: StrategySlot): Denied | null {
  if (limits.p2p === true) return null;
  const how = 'run it with a configuration that has it, such as --config config/p2p.yaml';
  return denied('p2p_not_allowed', `limits.p2p of ${tag} is not true: ${how}`);
}

function termsDenial(action: AdvertiseAction, market: P2pMarket, spreadOf: SpreadOf): Denied | null {
  for (const field of ['price', 'amount', 'minLimit', 'maxLimit'] as const) {
    const value = decimalOrNull(action[field]);
    if (value === null || !value.gt(0))
      return denied('not_positive', `${field} ${String(action[field])} is not above zero`, field);
  }
  const price = dec(action.price);
  const amount = dec(action.amount);
  return (
    gridDenial('price', price, market.pricePrecision, 'off_tick') ??
    gridDenial('amount', amount, market.basePrecision, 'off_lot') ??
    rangeDenial('amount', amount, market.advertisementMin, market.advertisementMax) ??
    rangeDenial('minLimit', dec(action.minLimit), market.tradeMin, market.tradeMax) ??
    rangeDenial('maxLimit', dec(action.maxLimit), decimalText(action.minLimit), market.tradeMax) ??
    boundsDenial(price, market, spreadOf)
  );
}

function gridDenial(field: string, value: Decimal, places: number, reason: 'off_tick' | 'off_lot'): Denied | null {
  if (value.decimalPlaces() <= places) return null;
  return denied(reason, `${field} ${value.toFixed()} has more than ${places} decimal places`, field);
}

function rangeDenial(field: string, value: Decimal, min: string, max: string): Denied | null {
  if (value.lt(min)) return denied('below_minimum', `${field} ${value.toFixed()} is below ${min}`, field);
  return value.gt(max) ? denied('above_maximum', `${field} ${value.toFixed()} is above ${max}`, field) : null;
}

function boundsDenial(price: Decimal, market: P2pMarket, spreadOf: SpreadOf): Denied | null {
  const bounds = boundsOf(market, spreadOf);
  if (bounds === null)
    return denied('price_bounds', `${market.marketId} has nothing to measure the price from`, 'price');
  if (price.gte(bounds.low) && price.lte(bounds.high)) return null;
  const range = `${bounds.low.toFixed()} to ${bounds.high.toFixed()}`;
  return denied('price_bounds', `price ${price.toFixed()} is outside ${range}`, 'price');
}
