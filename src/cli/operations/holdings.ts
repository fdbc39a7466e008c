/**
 * Balances before and after an operation. If unreadable before, the operation is not sent; after, they show as unread.
 */
import type { Asset } from '../../exchange/wire/market/dictionaries.ts';
import type { AccountType, Balance } from '../../model/trading/account.ts';
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { CliIo } from '../command.ts';
import { readAssets, requireCurrency, requirePlaces } from './assets.ts';
import type { OpenExchange } from './open-exchange.ts';
import { lookUntil } from './look-until.ts';
import { listed, refusedBeforehand } from '../../operations/exchange/answers.ts';

interface Need {
  readonly account: AccountType;
  readonly currency: string;
  readonly amount: string;
  /** On top. */
  readonly fee?: string;
  /** May be paid as it is. */
  readonly owed?: string;
}

export class Holdings {
  readonly #balances: readonly Balance[];
  readonly #assets: readonly Asset[];

  constructor(balances: readonly Balance[], assets: readonly Asset[]) {
    this.#balances = balances;
    this.#assets = assets;
  }

  /** Zero for an account without a row. */
  available(account: AccountType, currency: string): Decimal {
    return dec(this.#balances.find((row) => row.account === account && row.currency === currency)?.available ?? '0');
  }

  /** Of what is available; negative: it has left. */
  changeSince(before: Holdings, account: AccountType, currency: string): Decimal {
    return this.available(account, currency).minus(before.available(account, currency));
  }

  /**
   * Throws `operation_invalid` for an unknown currency, `operation_refused` for an amount finer than the exchange keeps, or
   * with `insufficient_balance`, as the exchange would. Trading leaves balances finer than an asset's precision.
   */
  cover(what: string, { account, currency, amount, fee = '0', owed = '0' }: Need): void {
    requireCurrency(
      this.#assets,
      currency,
      this.#balances.map((row) => row.currency),
    );
    const available = this.available(account, currency);
    requirePlaces(this.#assets, what, { currency, amount }, [decimalText(available), owed]);
    const total = dec(amount).plus(fee);
    if (available.gte(total)) return;
    const message = `${account} has ${decimalText(available)} ${currency} available, less than ${decimalText(total)}`;
    throw refusedBeforehand(what, 'insufficient_balance', message, 'amount');
  }

  /** What is no balance yet has the precision of its asset. Throws `operation_refused`. */
  requirePlaces(what: string, { currency, amount }: Pick<Need, 'currency' | 'amount'>): void {
    requirePlaces(this.#assets, what, { currency, amount });
  }

  /** What leaves the exchange has the precision of its asset. Throws as `cover`. */
  coverOutside(what: string, need: Need): void {
    this.requirePlaces(what, need);
    this.cover(what, need);
  }
}

/** Throws `list_incomplete`: no plan without known balances. */
export async function readHoldings(open: OpenExchange): Promise<Holdings> {
  const [balances, assets] = await Promise.all([open.exchange.account.balances(), readAssets(open)]);
  return new Holdings(listed('the balances', balances), assets);
}

/** As soon as they are as expected, at the latest after some seconds. Null when unreadable. */
export function holdingsAfter(
  open: OpenExchange,
  isAsExpected: (holdings: Holdings) => boolean,
): Promise<Holdings | null> {
  return lookUntil(open, isAsExpected, async () => {
    const reading = await open.exchange.account.balances();
    return reading.kind === 'complete' ? new Holdings(reading.items, []) : null;
  });
}

interface Debit {
  readonly account: AccountType;
  readonly currency: string;
  readonly amount: Decimal;
}

/** Says where more or less has left than what was answered as done: the network may have delivered it twice. */
export async function noteOther(
  io: Pick<CliIo, 'err'>,
  open: OpenExchange,
  before: Holdings,
  { account, currency, amount }: Debit,
  look: string,
): Promise<void> {
  const lost = (after: Holdings): Decimal => after.changeSince(before, account, currency).neg();
  const after = await holdingsAfter(open, (now) => !lost(now).isZero());
  if (after === null || lost(after).eq(amount)) return;
  const what = `${account} has ${decimalText(lost(after))} ${currency} less, not ${decimalText(amount)}`;
  io.err(`note: ${what}: something else has moved, or this twice; ${look}\n`);
}
