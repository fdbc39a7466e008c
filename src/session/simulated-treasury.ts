/**
 * The treasury of paper and backtest, on the ledger of the simulated venue. After a crash of a paper session it is rebuilt
 * from the journal: what was accepted is there again.
 */
import type { JournalRow } from '../model/journal.ts';
import type { MoneyRequest } from '../model/treasury.ts';
import type { LaneClock } from '../simulation/arrivals.ts';
import { p2pMarketsOf } from '../simulation/p2p-markets.ts';
import { SimulatedTreasury, type AcceptedRequest } from '../simulation/treasury.ts';
import type { SimulatedVenue } from '../simulation/venue.ts';
import type { Config } from './config/schema.ts';

export function simulatedTreasury(venue: SimulatedVenue, clock: LaneClock, config: Config): SimulatedTreasury {
  const { latency, p2p } = config.simulation;
  return new SimulatedTreasury({
    clock,
    ledger: venue.ledger(),
    latency,
    accounts: config.account.accounts,
    markets: p2pMarketsOf(p2p),
  });
}

/** Collects what the money rows of a journal say was accepted, in order. */
export class AcceptedRequests {
  readonly all: AcceptedRequest[] = [];
  readonly #asked = new Map<string, MoneyRequest>();

  row({ ts, entry }: JournalRow): void {
    if (entry.kind === 'money-intent') this.#asked.set(entry.intentId, entry.request);
    const isDone =
      (entry.kind === 'money-outcome' && entry.outcome.kind === 'accepted') ||
      (entry.kind === 'money-resolved' && entry.verdict === 'happened');
    const request = isDone ? this.#asked.get(entry.intentId) : undefined;
    if (request !== undefined) this.all.push({ request, ts });
  }

  /** What transfers did to the trading account: currency and signed amount of each. */
  tradingFlows(): readonly { readonly currency: string; readonly amount: string }[] {
    return this.all.flatMap(({ request }) => {
      if (request.kind !== 'transfer' || request.from === request.to) return [];
      const { from, to, currency, amount } = request;
      if (to === 'unified-trading') return [{ currency, amount }];
      return from === 'unified-trading' ? [{ currency, amount: `-${amount}` }] : [];
    });
  }
}

export function acceptedRequests(rows: Iterable<JournalRow>): readonly AcceptedRequest[] {
  const accepted = new AcceptedRequests();
  for (const row of rows) accepted.row(row);
  return accepted.all;
}
