/** The way of this process to the exchange, for reads: through its session, or a client of its own. */
import type { CallResult } from '../../exchange/client/classify.ts';
import type { PageCall, PageRead } from '../../exchange/client/page-read.ts';
import { createReadingClient } from '../../exchange/client/reading-client.ts';
import { exchangeReads, type ExchangeReads } from '../../exchange/exchange-reads.ts';
import type { OwnTradeSide } from '../../exchange/own-trade-side.ts';
import type { Clock } from '../../model/ports.ts';
import { bridgeErrors } from '../errors.ts';

export interface ExchangePort {
  /** Null: the session does not run, or did not answer. Rejects where the exchange cannot be reached. */
  readonly read: (call: PageCall) => Promise<PageRead | null>;
  readonly ownTradeSide: OwnTradeSide;
}

/** Small, so that reading a page costs the session's thread little. */
const PAGE_ROWS = 250;
const PAGES_MAX = 8;

/** For one request of a client: its lists end as partial after some pages. */
export function readsThrough({ read, ownTradeSide }: ExchangePort, clock: Clock): ExchangeReads {
  const told = async (call: PageCall): Promise<CallResult> => {
    const result = await read(call);
    if (result === null) throw bridgeErrors.make('bridge_no_answer', 'the session did not answer in time');
    if (result.kind === 'busy')
      throw bridgeErrors.make('bridge_too_many', 'other requests to the exchange go first; none was free in time');
    if (result.kind !== 'no-key') return result;
    const why = `${call.endpoint} needs an API key, and this process holds none`;
    throw bridgeErrors.make('operation_no_key', why);
  };
  const http = createReadingClient({ read: told, pageLimit: PAGE_ROWS, requestsMax: PAGES_MAX });
  return exchangeReads(http, clock, ownTradeSide);
}
