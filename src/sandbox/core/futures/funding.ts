/**
 * Funding (rule A3): at the end of each interval every position of the perpetual pays or receives rate · mark · quantity
 * through the market account, as a transaction; longs pay when the rate is positive. An isolated position pays from its
 * margin first, and what it receives is added to it.
 */
import { ZERO, dec, type Decimal } from '../../../model/money.ts';
import { fundingPayment } from '../../../clearing/margin/exposure.ts';
import type { PerpetualData } from '../perpetuals.ts';
import type { Transactions } from '../transactions.ts';
import type { MarginAccount } from './margin-account.ts';
import type { PositionSlot } from './position-slot.ts';

export class Funding {
  readonly #transactions: Transactions;
  readonly #onChange: (account: MarginAccount, slot: PositionSlot) => void;

  constructor(transactions: Transactions, onChange: (account: MarginAccount, slot: PositionSlot) => void) {
    this.#transactions = transactions;
    this.#onChange = onChange;
  }

  /** Ends the interval at `now`. Before there is a mark nobody holds a position. */
  settle(data: PerpetualData, accounts: Iterable<MarginAccount>, now: number): void {
    data.refresh();
    const rate = dec(data.settle(now).rate);
    const { mark } = data;
    if (mark === null) return;
    for (const account of accounts) {
      for (const slot of account.openSlots()) {
        if (slot.data === data) this.#pay(account, slot, fundingPayment(slot.exposure, rate, mark), now);
      }
    }
  }

  #pay(account: MarginAccount, slot: PositionSlot, amount: Decimal, now: number): void {
    if (amount.isZero()) return;
    const { funds } = account;
    const { currency } = slot;
    slot.fund(amount, now);
    if (amount.gt(0)) {
      funds.receive(currency, amount, 'market');
      if (account.isIsolated(slot)) funds.lockIsolated(slot, amount);
    } else {
      const left = funds.chargeMargin(slot, amount.neg(), 'market');
      if (!left.isZero()) funds.charge(slot, left, 'market');
    }
    account.rehold(currency);
    const entry = { type: 'funding', status: 'completed', currency, amount, fee: ZERO } as const;
    this.#transactions.add(account.trader.userId, { ...entry, account: 'unified-trading' }, now);
    this.#onChange(account, slot);
  }
}
