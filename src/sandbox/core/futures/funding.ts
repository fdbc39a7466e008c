/**
 * Funding (rule A3): at the end of each interval every position of the perpetual pays or receives through the market
 * account, as a transaction of its own.
 */
import { payFunding } from '../../../clearing/perpetual/settlement.ts';
import { dec } from '../../../model/money.ts';
import type { PerpetualData } from '../perpetuals.ts';
import type { Transactions } from '../transactions.ts';
import type { FuturesAccount, Slot } from './account.ts';

export class Funding {
  readonly #transactions: Transactions;
  readonly #onChange: (account: FuturesAccount, slot: Slot) => void;

  constructor(transactions: Transactions, onChange: (account: FuturesAccount, slot: Slot) => void) {
    this.#transactions = transactions;
    this.#onChange = onChange;
  }

  /** Ends the interval at `now`. Before there is a mark nobody holds a position. */
  settle(data: PerpetualData, accounts: Iterable<FuturesAccount>, now: number): void {
    data.refresh();
    const rate = dec(data.settle(now).rate);
    const { mark } = data;
    if (mark === null) return;
    for (const account of accounts) {
      for (const slot of account.openSlots()) {
        if (slot.market !== data) continue;
        const amount = payFunding(slot, rate, mark, now);
        if (amount.isZero()) continue;
        account.roundOf(slot)?.fund(amount);
        const { currency } = slot.book;
        const entry = { type: 'funding', currency, amount, account: 'unified-trading' } as const;
        this.#transactions.complete(account.trader.userId, entry, now);
        this.#onChange(account, slot);
      }
    }
  }
}
