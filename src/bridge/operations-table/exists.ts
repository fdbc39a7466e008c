/**
 * Whether the exchange has what an id names, in a state that allows it, before anything about it is sent: a wrong id would
 * end in doubt for ever.
 */
import type { ExchangeReads } from '../../exchange/exchange-reads.ts';
import type { TransactionType } from '../../exchange/interface/states.ts';
import { isTidewireError } from '../../model/errors.ts';
import { answered, refusedBeforehand } from '../../operations/exchange/answers.ts';
import { requireStep, type P2pStep } from '../../operations/exchange/p2p-steps.ts';

/** Throws where there surely is none, or not in such a state; what cannot be read, the exchange decides. */
export type Lookup = (reads: ExchangeReads, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

export function tradeAllows(step: P2pStep): Lookup {
  return async ({ money }, { tradeId }) => {
    const trade = answered('the trade', await money.p2p.trade(String(tradeId)));
    requireStep(`the step ${step}`, trade, step, 'read the trade');
  };
}

export const advertisementExists: Lookup = async ({ money }, { advertisementId }) =>
  answered('the advertisement', await money.p2p.advertisement(String(advertisementId)));

/** Of one of these types in the whole history. */
export function transactionExists(field: string, ...types: readonly TransactionType[]): Lookup {
  return async ({ money }, params) => {
    const id = String(params[field]);
    for (const type of types) {
      const reading = await money.transfers.transactions({ type });
      if (reading.kind !== 'complete' || reading.items.some(({ transactionId }) => transactionId === id)) return;
    }
    throw refusedBeforehand(field, 'not_found', `there is no ${types.join(' or ')} ${id}`, field);
  };
}

const SURE: readonly unknown[] = ['not_found', 'illegal_transition'];

/** Throws `operation_refused` where it surely is not there, or in another state. */
export async function requireExists(lookup: Lookup, ...of: Parameters<Lookup>): Promise<void> {
  try {
    await lookup(...of);
  } catch (thrown) {
    if (!isTidewireError(thrown) || SURE.includes(thrown.details['code'])) throw thrown;
  }
}
