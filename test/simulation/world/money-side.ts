/**
 * Money beside orders at the exchange of the simulated world: what the account under test moved, as the law reads it, and the
 * other user, who gives it codes and takes its own. Deposits arrive from outside.
 */
import { dec, decimalText, type Decimal } from '../../../src/model/numbers/money.ts';
import type { Advertisement } from '../../../src/sandbox/core/p2p/advertisement.ts';
import type { Code } from '../../../src/sandbox/core/money/codes.ts';
import type { Transaction } from '../../../src/sandbox/core/money/transactions.ts';
import { isRefusal } from '../../../src/sandbox/core/refusal.ts';
import { owed } from '../../../src/sandbox/core/money/overdrafts.ts';
import { secretHashOf } from '../../../src/spine/money/content.ts';
import { MoneySteps, type Effect } from './money-steps.ts';
import type { VenueSide } from './venue-side.ts';

export const COIN = 'USDT';
/** Of applications: no deposit from outside is in it. */
export const FIAT = 'RUB';

const LISTED_MAX = 100;
/** What commands of the worlds leave in the history. */
const types = ['transfer', 'code_create', 'withdrawal', 'deposit', 'overdraft_repayment'] as const;

interface Moved extends Effect {
  readonly account: string;
  readonly currency: string;
}

export class MoneySide {
  readonly #venue: VenueSide;
  readonly #steps = new MoneySteps();

  constructor(venue: VenueSide) {
    this.#venue = venue;
  }

  /** Whatever the account under test did by a command. */
  effects(): readonly Effect[] {
    const ends = this.#rows(['withdrawal', 'deposit']).flatMap(({ transactionId, status }) =>
      status === 'canceled' ? [{ id: `end ${transactionId}`, key: `end of ${transactionId}` }] : [],
    );
    const own = this.#rows(types).filter(
      ({ transactionId, type, currency }) =>
        !this.#venue.transfersByHand.has(transactionId) && (type !== 'deposit' || currency === FIAT),
    );
    const steps = this.#steps.look(
      this.advertisements,
      own.filter(({ currency }) => currency === FIAT),
    );
    return [...own.map((row) => ({ id: row.transactionId, key: keyOf(row) })), ...ends, ...steps, ...this.#redeemed()];
  }

  /** An advertisement is as the command wants it. */
  stands(key: string): boolean {
    return this.#steps.stands(key);
  }

  /** Rows of the account since then, Unix ms, but fees of trades. */
  movedSince(ms: number): readonly Moved[] {
    const rows = this.#rows([...types, 'code_redeem']).filter(({ updatedAt }) => updatedAt >= ms);
    const redeemed = this.#redeemed();
    return rows.map((row) => {
      const { transactionId: id, account, currency, type } = row;
      const key = type === 'code_redeem' ? (redeemed.length === 1 ? redeemed[0]!.key : '') : keyOf(row);
      return { id, key, account, currency };
    });
  }

  get owed(): Decimal {
    return owed(this.#venue.sandbox.exchange.money.overdrafts.loan(this.#userId));
  }

  /** Withdrawals and applications that can be taken back, by their ids. */
  open(currency: typeof COIN | typeof FIAT): readonly string[] {
    return this.#rows(['withdrawal', 'deposit']).flatMap((row) =>
      row.currency === currency && ['submitted', 'created'].includes(row.status) ? [row.transactionId] : [],
    );
  }

  get drafts(): readonly string[] {
    return this.#rows(['withdrawal', 'deposit']).flatMap(({ transactionId, status }) =>
      status === 'created' ? [transactionId] : [],
    );
  }

  get advertisements(): readonly Advertisement[] {
    return this.#venue.sandbox.exchange.money.p2p.advertisements.ownedBy(this.#user);
  }

  /** From outside. */
  deposit(amount: string): void {
    const { exchange } = this.#venue.sandbox;
    this.#venue.sandbox.operate((now) => exchange.money.mint(this.#userId, 'funding', COIN, dec(amount), now));
  }

  /** The other user gives a code for the account under test. Answers its text; null without money for it. */
  give(amount: string, secret: string): string | null {
    const terms = { currency: COIN, amount: dec(amount), recipient: undefined, comment: undefined };
    let code: Code | null = null;
    this.#venue.sandbox.operate((now) => {
      const made = this.#codes.create(this.#other, terms, secret, now);
      if (!isRefusal(made)) code = made;
    });
    return code === null ? null : secret;
  }

  /** The other user takes the oldest code of the account under test. */
  take(): void {
    const code = this.#codes.createdBy(this.#user).find(({ status }) => status === 'active');
    if (code === undefined) return;
    this.#venue.sandbox.operate((now) => void this.#codes.redeem(this.#other, code.secret, now));
  }

  get #codes() {
    return this.#venue.sandbox.exchange.money.codes;
  }

  get #user() {
    return this.#venue.sandbox.exchange.identity.userByLogin(this.#venue.user.login)!;
  }

  get #other() {
    return this.#venue.sandbox.exchange.identity.userByLogin('bob')!;
  }

  get #userId(): string {
    return this.#user.userId;
  }

  #redeemed(): readonly Effect[] {
    return this.#codes
      .createdBy(this.#other)
      .filter(({ activatedBy }) => activatedBy === this.#user)
      .map(({ codeId, secret }) => ({
        id: `redeemed ${codeId}`,
        key: `code with the hash ${secretHashOf({ code: secret })}`,
      }));
  }

  #rows(of: readonly Transaction['type'][]): readonly Transaction[] {
    const { transactions } = this.#venue.sandbox.exchange.money;
    const query = { from: 0, to: Infinity, limit: LISTED_MAX, before: Infinity };
    return of.flatMap((type) => transactions.list(this.#userId, { type }, query).items);
  }
}

function keyOf({ type, account, amount, currency }: Transaction): string {
  const text = decimalText(amount);
  switch (type) {
    case 'transfer':
      return `transfer of ${text} from ${account}`;
    case 'code_create':
      return `code of ${text}`;
    case 'overdraft_repayment':
      return `repayment of ${text}`;
    default:
      return `${type} of ${text} ${currency}`;
  }
}
