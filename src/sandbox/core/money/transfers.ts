/**
 * Transfers between own accounts. Assumed: a transfer from `overdraft` draws the credit line, and unrealised cross
 * losses cannot leave `unified-trading`.
 */
import type { AccountType } from '../../../model/trading/account.ts';
import type { TransferRoute } from '../../../model/funds/money-records.ts';
import { ZERO, type Decimal } from '../../../model/numbers/money.ts';
import type { MoneyPorts } from './money-ports.ts';
import type { Overdrafts } from './overdrafts.ts';
import { refuse, refuseCover, type Refusal } from '../refusal.ts';
import type { Transaction } from './transactions.ts';

// prettier-ignore
const ownRoutes: readonly TransferRoute[] = [
  { from: 'funding', to: 'unified-trading', currencies: null },
  { from: 'unified-trading', to: 'funding', currencies: null },
  { from: 'funding', to: 'p2p', currencies: null },
  { from: 'p2p', to: 'funding', currencies: null },
  { from: 'unified-trading', to: 'p2p', currencies: null },
  { from: 'p2p', to: 'unified-trading', currencies: null },
  { from: 'referral-program', to: 'funding', currencies: null },
  { from: 'referral-program', to: 'unified-trading', currencies: null },
];

export interface TransferRequest {
  readonly from: AccountType;
  readonly to: AccountType;
  readonly currency: string;
  readonly amount: Decimal;
}

interface TransferPorts extends MoneyPorts {
  readonly overdrafts: Overdrafts;
  /** Unrealised cross loss, zero or above. */
  readonly lossOf: (userId: string, currency: string) => Decimal;
}

export class Transfers {
  readonly routes: readonly TransferRoute[];
  readonly #ports: TransferPorts;

  constructor(ports: TransferPorts) {
    const currencies = [ports.overdrafts.terms.currency];
    this.routes = [...ownRoutes, { from: 'overdraft', to: 'unified-trading', currencies }];
    this.#ports = ports;
  }

  /** Its transaction, with the same id. */
  transfer(userId: string, request: TransferRequest, now: number): Transaction | Refusal {
    const { from, to, currency, amount } = request;
    if (!this.#hasRoute(request))
      return refuse('route_not_available', `no route takes ${currency} from ${from} to ${to}`);
    if (amount.isZero()) return refuse('below_minimum', 'amount must be above zero', 'amount');
    const refusal = this.#move(userId, request, now);
    if (refusal !== undefined) return refusal;
    return this.#ports.transactions.complete(userId, { type: 'transfer', currency, amount, account: from }, now);
  }

  #hasRoute({ from, to, currency }: TransferRequest): boolean {
    return this.routes.some(
      (route) =>
        route.from === from && route.to === to && (route.currencies === null || route.currencies.includes(currency)),
    );
  }

  #move(userId: string, { from, to, currency, amount }: TransferRequest, now: number): Refusal | undefined {
    const { accounts, overdrafts, lossOf } = this.#ports;
    if (from === 'overdraft') return overdrafts.draw(userId, amount, now);
    const source = accounts.pocket(userId, from, currency);
    const target = accounts.pocket(userId, to, currency);
    const kept = from === 'unified-trading' ? lossOf(userId, currency) : ZERO;
    const suffices = kept.isZero() || source.available.minus(kept).gte(amount);
    if (suffices && source.moveTo(target, amount)) return undefined;
    return refuseCover(currency, from);
  }
}
