/** The treasury of paper and backtest; rebuilt from accepted requests in the journal. */
import type { JournalRow } from '../model/journal.ts';
import { decimalText } from '../model/money.ts';
import type { MoneyRequest } from '../model/treasury.ts';
import type { LaneClock } from '../simulation/arrivals.ts';
import { p2pMarketsOf } from '../simulation/p2p-markets.ts';
import { SimulatedTreasury, type AcceptedRequest } from '../simulation/treasury.ts';
import type { SimulatedVenue } from '../simulation/venue.ts';
import { tradingFlowOf } from '../spine/money/kinds.ts';
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

  /** Signed. */
  tradingFlows(): readonly { readonly currency: string; readonly amount: string }[] {
    return this.all.flatMap(({ request }) => {
      const flow = tradingFlowOf(request);
      return flow === null ? [] : [{ currency: flow.currency, amount: decimalText(flow.amount) }];
    });
  }
}

export function acceptedRequests(rows: Iterable<JournalRow>): readonly AcceptedRequest[] {
  const accepted = new AcceptedRequests();
  for (const row of rows) accepted.row(row);
  return accepted.all;
}
