/**
 * Transfers of strategies as flows of the trading account, so that no limit of losses takes what left for a loss. One whose outcome
 * `reconcile` or a human proved while nothing ran is booked by the next start, as soon as its currency has a price. Each once.
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

  /** To be called when the state is restored. */
  findLate(): void {
    const { state } = this.#port;
    this.#late = state.money
      .records()
      // With a reason: its outcome was unknown.
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

/** Null where it did not happen, or not to the trading account. */
function flowOf({ request, fate, intentId: id, sentAt: at }: MoneyRecord): CashFlow | null {
  const flow = fate === 'accepted' ? tradingFlowOf(request) : null;
  return flow && { id, currency: flow.currency, amount: decimalText(flow.amount), at, cause: 'own transfer' };
}
