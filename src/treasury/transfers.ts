/** Denials of a `transfer`, and its cash flow on the trading account. */
import type { TransferAction } from '../model/trading/action.ts';
import type { CashFlow } from '../model/trading/account.ts';
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { MoneyRequest } from '../model/funds/money-commands.ts';
import { dec, decimalOrNull, decimalText, type Decimal } from '../model/numbers/money.ts';
import type { StrategyLimits } from '../risk/options.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { TRADING_ACCOUNT } from '../spine/balances.ts';
import { tradingFlowOf } from '../spine/money/kinds.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { cashFlowKey } from '../spine/external-keys.ts';
import type { Holdings } from './holdings.ts';
import { blockedBy, stoppingDenial, type TreasuryPort } from './port.ts';

const NOTHING: NonNullable<StrategyLimits['transfers']> = { routes: [], max: {}, maxPerDay: {} };

export function transferRequest({ from, to, currency, amount }: TransferAction): MoneyRequest<'transfer'> {
  return { kind: 'transfer', from, to, currency, amount: decimalText(amount) };
}

export function transferDenial(
  port: TreasuryPort,
  holdings: Holdings,
  slot: StrategySlot,
  action: TransferAction,
): Denied | null {
  const { tag } = slot;
  const { ref } = action;
  const amount = decimalOrNull(action.amount);
  const stopping = stoppingDenial(port, tag);
  if (stopping !== null) return stopping;
  if (amount === null) return denied('not_finite', `amount ${String(action.amount)} is not a decimal number`, 'amount');
  if (!amount.gt(0)) return denied('not_positive', `amount ${amount.toFixed()} is not above zero`, 'amount');
  if (ref !== undefined && port.state.money.hasRef(tag, ref))
    return denied('duplicate_ref', `a transfer of ${tag} with the ref "${ref}" happened or may have`, 'ref');
  return limitDenial(port, slot, action, amount) ?? blockedBy(port) ?? coverDenial(port, holdings, action, amount);
}

function limitDenial(
  port: TreasuryPort,
  { tag, limits }: StrategySlot,
  { from, to, currency }: TransferAction,
  amount: Decimal,
): Denied | null {
  const { routes, max, maxPerDay } = limits.transfers ?? NOTHING;
  if (!routes.some(([source, target]) => source === from && target === to))
    return denied('route_not_allowed', `limits.transfers.routes of ${tag} has no [${from}, ${to}]`);
  const most = max[currency];
  if (most === undefined)
    return denied('max_transfer', `limits.transfers.max of ${tag} names no ${currency}`, 'amount');
  if (amount.gt(most)) return denied('max_transfer', `${amount.toFixed()} ${currency} is above ${most}`, 'amount');
  const mostOfDay = maxPerDay[currency] ?? most;
  const sum = port.state.money.transferred(tag, currency, port.now()).plus(amount);
  if (sum.lte(mostOfDay)) return null;
  return denied('daily_transfer', `${sum.toFixed()} ${currency} today would be above ${mostOfDay}`, 'amount');
}

/** Denies only a known lack of money. The venue decides the rest. */
function coverDenial(
  port: TreasuryPort,
  holdings: Holdings,
  { from, currency }: TransferAction,
  amount: Decimal,
): Denied | null {
  const row = holdings.of(from, currency);
  if (row === undefined) return null;
  const spent = from === TRADING_ACCOUNT ? port.state.heard.balances.of(currency)?.spent : undefined;
  const free = spent === undefined ? dec(row.available) : dec(row.available).minus(spent);
  if (free.gte(amount)) return null;
  return denied('insufficient_balance', `${free.toFixed()} ${currency} is free on ${from}`, 'amount');
}

/** Loss limits exclude transfers. Null when nothing moved on the trading account. */
export function flowOf({ request, fate, intentId: id, sentAt: at }: MoneyRecord): CashFlow | null {
  const flow = fate === 'accepted' ? tradingFlowOf(request) : null;
  return flow && { id, currency: flow.currency, amount: decimalText(flow.amount), at, cause: 'own transfer' };
}

/** Flows of movements that were resolved while no session ran. */
export function lateFlows({ state }: TreasuryPort): readonly CashFlow[] {
  return (
    state.money
      .records()
      // An accepted one with a reason was unknown first.
      .filter(({ reason, intentId }) => reason !== null && !state.isBooked(cashFlowKey(intentId)))
      .flatMap((record) => flowOf(record) ?? [])
  );
}
