/**
 * Double-entry ledger of all users: a pocket per user, account type and currency; house accounts per currency. Every
 * currency sums to zero.
 */
import type { AccountType, Balance } from '../model/trading/account.ts';
import { ZERO, type Decimal } from '../model/numbers/money.ts';
import { Pocket, type House, type HouseAccount, type OnMove } from './pocket.ts';

export const accountTypes: readonly AccountType[] = [
  'unified-trading',
  'funding',
  'p2p',
  'referral-program',
  'overdraft',
];

export class Wallet {
  readonly userId: string;
  readonly account: AccountType;
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

  /** Trading account first, then alphabetical. */
  rows(userId: string): Balance[] {
    return accountTypes.flatMap((account) =>
      this.wallet(userId, account)
        .rows()
        .toSorted((left, right) => (left.currency < right.currency ? -1 : 1)),
    );
  }

  ofExchange(account: HouseAccount, currency: string): Decimal {
    return this.#houses.get(currency)?.[account] ?? ZERO;
  }

  /** Per currency, the sum over all accounts including `outside` and `fees`; always zero. */
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
