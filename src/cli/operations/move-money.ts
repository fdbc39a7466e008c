/**
 * Carries out one money request through the `Treasury` port: the only way in which a command of the terminal moves
 * money. The answer of an accepted request, or the typed error of every other end (`outcome.ts`).
 */
import { randomUUID } from 'node:crypto';
import { createExchangeTreasury } from '../../exchange/treasury.ts';
import type { MoneyOutcome } from '../../model/result.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets } from '../../model/treasury.ts';
import type { OpenExchange } from './open-exchange.ts';
import { accepted } from './outcome.ts';

export interface Move<K extends MoneyKind> {
  readonly request: MoneyRequest<K>;
  readonly secrets?: MoneySecrets;
  /** For people: "the transfer". */
  readonly what: string;
  /** Where an unknown end can be looked up: "see `tidewire account transactions`". */
  readonly look: string;
}

/** Throws `operation_refused`, `operation_denied`, `operation_not_sent` or `operation_unknown`. */
export async function moveMoney<K extends MoneyKind>(
  { exchange, clock }: OpenExchange,
  { request, secrets, what, look }: Move<K>,
): Promise<MoneyAnswers[K]> {
  const { money, account } = exchange;
  const treasury = createExchangeTreasury({ money, account, p2pSocket: null, clock });
  const intentId = randomUUID();
  const outcome = await new Promise<MoneyOutcome<MoneyAnswers[MoneyKind]>>((resolve) => {
    treasury.listen((event) => {
      if (event.kind === 'outcome' && event.intentId === intentId) resolve(event.outcome);
    });
    const more = secrets === undefined ? {} : { secrets };
    // A request of one kind is a request; a generic kind hides that from the compiler.
    treasury.send({ intentId, lane: 'create', request: request as MoneyRequest, ...more }, () => 'go');
  });
  // The port answers a request with the answer of its kind.
  return accepted(what, outcome as MoneyOutcome<MoneyAnswers[K]>, look);
}
