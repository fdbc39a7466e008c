/**
 * Transfers of strategies that were of unknown fate when their process ended, and that `reconcile` or a human proved while
 * nothing ran: the limits of losses have not heard of them, and would take what left for a loss. Booked as flows by the start
 * that finds them, each once; one in a currency that has no price yet as soon as it has. Used by the executor.
 */
import { dec, decimalText } from '../../model/money.ts';
import { cashFlowKey } from '../trading-state.ts';
import type { Core } from '../core.ts';
import { tradingSign, type MoneyRecord } from './state.ts';

export class LateFlows {
  readonly #core: Core;
  #waiting: readonly MoneyRecord[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  /** To be called when the state is restored. */
  find(): void {
    const { state } = this.#core;
    this.#waiting = state.money
      .records()
      // With a reason: its fate was not known by its answer.
      .filter(({ fate, reason, intentId }) => fate === 'accepted' && reason !== null && !isBooked(this.#core, intentId))
      .filter(({ request }) => tradingSign(request) !== 0);
    this.book();
  }

  book(): void {
    if (this.#waiting.length === 0) return;
    const core = this.#core;
    const left: MoneyRecord[] = [];
    for (const record of this.#waiting) {
      const { request, intentId, sentAt } = record;
      if (request.kind !== 'transfer') continue;
      const { currency, amount } = request;
      if (!core.risk.canValue(currency)) {
        left.push(record);
        continue;
      }
      const signed = decimalText(dec(amount).times(tradingSign(request)));
      core.flowed({ id: intentId, currency, amount: signed, at: sentAt, cause: 'own transfer' });
    }
    this.#waiting = left;
  }
}

function isBooked(core: Core, intentId: string): boolean {
  return core.state.isBooked(cashFlowKey(intentId));
}
