/** What forbids a `transfer`. */
import type { TransferAction } from '../model/action.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import { dec, decimalOrNull, type Decimal } from '../model/money.ts';
import type { StrategyLimits } from '../risk/options.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { TRADING_ACCOUNT } from '../spine/balances.ts';
import type { Holdings } from './holdings.ts';
import { blockedBy, type TreasuryPort } from './port.ts';

const NOTHING: NonNullable<StrategyLimits['transfers']> = { routes: [], max: {}, maxPerDay: {} };

export function transferDenial(
  port: TreasuryPort,
  holdings: Holdings,
  slot: StrategySlot,
  action: TransferAction,
): Denied | null {
  const { tag } = slot;
  const { ref } = action;
  const amount = decimalOrNull(action.amount);
  if (port.stopping.has(tag)) return denied('stopping', `${tag} is stopping`);
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

/** Denies only what is known to be missing; the venue decides the rest. */
function coverDenial(
  port: TreasuryPort,
  holdings: Holdings,
  { from, currency }: TransferAction,
  amount: Decimal,
): Denied | null {
  const row = holdings.of(from, currency);
  if (row === undefined) return null;
  const spent = from === TRADING_ACCOUNT ? port.balances.of(currency)?.spent : undefined;
  const free = spent === undefined ? dec(row.available) : dec(row.available).minus(spent);
  if (free.gte(amount)) return null;
  return denied('insufficient_balance', `${free.toFixed()} ${currency} is free on ${from}`, 'amount');
}
