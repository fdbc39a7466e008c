/**
 * Books transfers as cash flows, so that limits of losses do not count them. One that was proved while nothing ran is
 * booked after the next start, once its currency has a price.
 */
import type { CashFlow } from '../model/account.ts';
import { decimalText } from '../model/money.ts';
import { tradingFlowOf } from '../spine/money/kinds.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { cashFlowKey } from '../spine/trading-state.ts';
import type { TreasuryPort } from './port.ts';

export class TransferFlows {
  readonly #port: TreasuryPort;
  #late: readonly CashFlow[] = [];

  constructor(port: TreasuryPort) {
    this.#port = port;
  }

  ended(record: MoneyRecord): void {
    const flow = flowOf(record);
    if (flow !== null) this.#port.flowed(flow);
  }

  /** Once, after the state is restored. */
  findLate(): void {
    const { state } = this.#port;
    this.#late = state.money
      .records()
      // An accepted one with a reason was unknown first.
      .filter(({ reason, intentId }) => reason !== null && !state.isBooked(cashFlowKey(intentId)))
      .flatMap((record) => flowOf(record) ?? []);
    this.bookLate();
  }

  bookLate(): void {
    if (this.#late.length === 0) return;
    const { risk } = this.#port;
    const late = Map.groupBy(this.#late, ({ currency }) => risk.canValue(currency));
    for (const flow of late.get(true) ?? []) this.#port.flowed(flow);
    this.#late = late.get(false) ?? [];
  }
}

/** Null when nothing moved on the trading account. */
function flowOf({ request, fate, intentId: id, sentAt: at }: MoneyRecord): CashFlow | null {
  const flow = fate === 'accepted' ? tradingFlowOf(request) : null;
  return flow && { id, currency: flow.currency, amount: decimalText(flow.amount), at, cause: 'own transfer' };
}
