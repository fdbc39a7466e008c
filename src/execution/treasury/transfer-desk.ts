/**
 * `transfer`: denied unless the configuration allows the route, the amount and the day's sum; once per ref; no gate, kill
 * switch or unresolved twin in its way. What happens to the money is told by the balances of the accounts.
 */
import type { TransferAction } from '../../model/action.ts';
import { denied, type Denied } from '../../model/deny-reason.ts';
import { dec, decimalOrNull, decimalText, type Decimal } from '../../model/money.ts';
import { TRADING_ACCOUNT } from '../balances.ts';
import type { Core } from '../core.ts';
import type { StrategySlot } from '../executor-types.ts';
import type { StrategyLimits } from '../options.ts';
import type { MoneyDesk } from './desk.ts';
import type { Holdings } from './holdings.ts';

const NOTHING: NonNullable<StrategyLimits['transfers']> = { routes: [], max: {}, maxPerDay: {} };

export class TransferDesk {
  readonly #core: Core;
  readonly #desk: MoneyDesk;
  readonly #holdings: Holdings;

  constructor(core: Core, desk: MoneyDesk, holdings: Holdings) {
    this.#core = core;
    this.#desk = desk;
    this.#holdings = holdings;
  }

  transfer(slot: StrategySlot, action: TransferAction): void {
    const core = this.#core;
    const { tag } = slot;
    const { from, to, currency, ref } = action;
    const amount = decimalOrNull(action.amount);
    const denial = this.#denial(slot, action, amount);
    if (denial !== null || amount === null) {
      if (denial !== null) core.deny(tag, 'transfer', denial, undefined, ref);
      return;
    }
    const request = { kind: 'transfer', from, to, currency, amount: decimalText(amount) } as const;
    const named = ref === undefined ? {} : { ref };
    core.risk.countMessage(tag, core.now());
    const before = this.#holdings.baseline(request);
    const sent = this.#desk.send({ request, strategy: tag, ...named, lane: 'create', before }, () => {});
    if (sent.kind === 'denied') core.deny(tag, 'transfer', sent.denied, undefined, ref);
  }

  #denial(slot: StrategySlot, action: TransferAction, amount: Decimal | null): Denied | null {
    const core = this.#core;
    const { tag } = slot;
    const { ref } = action;
    if (core.stopping.has(tag)) return denied('stopping', `${tag} is stopping`);
    if (amount === null)
      return denied('not_finite', `amount ${String(action.amount)} is not a decimal number`, 'amount');
    if (!amount.gt(0)) return denied('not_positive', `amount ${amount.toFixed()} is not above zero`, 'amount');
    if (ref !== undefined && core.state.money.hasRef(tag, ref))
      return denied('duplicate_ref', `a transfer of ${tag} with the ref "${ref}" happened or may have`, 'ref');
    return (
      this.#limitDenial(slot, action, amount) ??
      core.gates.denial('', null) ??
      core.kill.denial(false) ??
      this.#coverDenial(action, amount)
    );
  }

  #limitDenial({ tag, limits }: StrategySlot, { from, to, currency }: TransferAction, amount: Decimal): Denied | null {
    const { routes, max, maxPerDay } = limits.transfers ?? NOTHING;
    if (!routes.some(([source, target]) => source === from && target === to))
      return denied('route_not_allowed', `limits.transfers.routes of ${tag} has no [${from}, ${to}]`);
    const most = max[currency];
    if (most === undefined)
      return denied('max_transfer', `limits.transfers.max of ${tag} names no ${currency}`, 'amount');
    if (amount.gt(most)) return denied('max_transfer', `${amount.toFixed()} ${currency} is above ${most}`, 'amount');
    const mostOfDay = maxPerDay[currency] ?? most;
    const sum = this.#core.state.money.transferred(tag, currency, this.#core.now()).plus(amount);
    if (sum.lte(mostOfDay)) return null;
    return denied('daily_transfer', `${sum.toFixed()} ${currency} today would be above ${mostOfDay}`, 'amount');
  }

  /** Only what is known to be missing: the venue has the last word. */
  #coverDenial({ from, currency }: TransferAction, amount: Decimal): Denied | null {
    const row = this.#holdings.of(from, currency);
    if (row === undefined) return null;
    const spent = from === TRADING_ACCOUNT ? this.#core.balances.of(currency)?.spent : undefined;
    const free = spent === undefined ? dec(row.available) : dec(row.available).minus(spent);
    if (free.gte(amount)) return null;
    return denied('insufficient_balance', `${free.toFixed()} ${currency} is free on ${from}`, 'amount');
  }
}
