/**
 * Money of all users, double-entry (rule A4): per user, account type and currency a pocket, per currency the accounts of
 * the exchange. Whatever comes in leaves `outside`, whatever is charged goes to `fees`, so every currency sums to zero.
 * Whoever moves money often resolves its pockets once.
 */
import type { AccountType, Balance } from '../model/account.ts';
import { ZERO, type Decimal } from '../model/money.ts';
import { Pocket, type House, type HouseAccount, type OnMove } from './pocket.ts';

/** The order in which balances are listed. */
export const accountTypes: readonly AccountType[] = [
  'unified-trading',
  'funding',
  'p2p',
  'referral-program',
  'overdraft',
];

/** One account of one user. */
export class Wallet {
  readonly userId: string;
  readonly account: AccountType;
  /** Pockets through which money went, in the order in which it did so first. */
  readonly used = new Set<Pocket>();
  readonly #pockets = new Map<string, Pocket>();
  readonly #open: (wallet: Wallet, currency: string) => Pocket;

  constructor(userId: string, account: AccountType, open: (wallet: Wallet, currency: string) => Pocket) {
    this.userId = userId;
    this.account = account;
    this.#open = open;
  }

  pocket(currency: string): Pocket {
    let pocket = this.#pockets.get(currency);
    if (pocket === undefined) {
      pocket = this.#open(this, currency);
      this.#pockets.set(currency, pocket);
    }
    return pocket;
  }

  /** Every currency that it ever held. */
  rows(): Balance[] {
    return [...this.used].map((pocket) => pocket.row());
  }
}

export class Accounts {
  readonly #wallets = new Map<string, Map<AccountType, Wallet>>();
  readonly #houses = new Map<string, House>();
  readonly #onMove: OnMove;

  constructor(onMove: OnMove) {
    this.#onMove = onMove;
  }

  wallet(userId: string, account: AccountType): Wallet {
    let wallets = this.#wallets.get(userId);
    if (wallets === undefined) this.#wallets.set(userId, (wallets = new Map()));
    let wallet = wallets.get(account);
    if (wallet === undefined) {
      wallet = new Wallet(userId, account, (owner, currency) => this.#openPocket(owner, currency));
      wallets.set(account, wallet);
    }
    return wallet;
  }

  pocket(userId: string, account: AccountType, currency: string): Pocket {
    return this.wallet(userId, account).pocket(currency);
  }

  /** Every currency that the user ever held, trading account first, in order of the alphabet. */
  rows(userId: string): Balance[] {
    return accountTypes.flatMap((account) =>
      this.wallet(userId, account)
        .rows()
        .toSorted((left, right) => (left.currency < right.currency ? -1 : 1)),
    );
  }

  /** Balance of an account of the exchange. */
  ofExchange(account: HouseAccount, currency: string): Decimal {
    return this.#houses.get(currency)?.[account] ?? ZERO;
  }

  /** Sum of every currency over all accounts, outside and fees included: zero, or this room is wrong. */
  totals(): ReadonlyMap<string, Decimal> {
    const totals = new Map<string, Decimal>();
    for (const [currency, house] of this.#houses) {
      let total = ZERO;
      for (const amount of Object.values(house)) total = total.plus(amount);
      totals.set(currency, total);
    }
    for (const wallets of this.#wallets.values()) {
      for (const { used } of wallets.values()) {
        for (const { currency, total } of used) totals.set(currency, totals.get(currency)!.plus(total));
      }
    }
    return totals;
  }

  #openPocket(wallet: Wallet, currency: string): Pocket {
    let house = this.#houses.get(currency);
    if (house === undefined) {
      house = { outside: ZERO, fees: ZERO, codes: ZERO, lender: ZERO, market: ZERO, insurance: ZERO };
      this.#houses.set(currency, house);
    }
    return new Pocket(wallet, currency, house, (pocket, isMoved) => {
      if (isMoved) wallet.used.add(pocket);
      this.#onMove(pocket, isMoved);
    });
  }
}
