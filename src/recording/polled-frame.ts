/**
 * Mark price and funding rate in a recording: they have no channel (wire profile), so what was polled is kept as a frame of
 * ours under a name of ours, `<SYMBOL>@mark-price` and `<SYMBOL>@funding-rate`, with the answer as it was understood. Both
 * ways: the session writes them, `decode.ts` reads them.
 */
import type { Instruments } from '../model/instrument.ts';
import type { MarketEvent } from '../model/market-event.ts';
import { usOf } from '../model/time.ts';
import { decodeBy, decoded, decodeFailure, type Decoded } from '../exchange/wire/decoded.ts';
import {
  fundingRateSchema,
  markPriceSchema,
  type FundingRates,
  type MarkPrices,
} from '../exchange/wire/perpetual-data.ts';

const MARK = '@mark-price';
const FUNDING = '@funding-rate';

export function markFrame(mark: MarkPrices): string {
  return JSON.stringify({ channel: `${mark.symbol}${MARK}`, ts: mark.ts, data: mark });
}

/** `ts`: when it was asked for, Unix ms of the exchange: the answer itself has no time. */
export function fundingFrame(funding: FundingRates, ts: number): string {
  return JSON.stringify({ channel: `${funding.symbol}${FUNDING}`, ts, data: funding });
}

export function isPolledChannel(channel: string): boolean {
  return channel.endsWith(MARK) || channel.endsWith(FUNDING);
}

/** The event of a frame of ours, or why it cannot be read. */
export function decodePolledFrame(
  { channel, ts, data }: { readonly channel: string; readonly ts: number | null; readonly data: unknown },
  receiveUs: number,
  instruments: Instruments,
): Decoded<MarketEvent> {
  const isMark = channel.endsWith(MARK);
  const instrument = instruments.find(channel.slice(0, channel.lastIndexOf('@')));
  if (instrument === undefined) return decodeFailure(channel, '', 'no such instrument', channel);
  const base = { instrument, exchangeUs: ts === null ? Number.NaN : usOf(ts), receiveUs };
  if (isMark) {
    const mark = decodeBy(markPriceSchema, channel, data);
    if (mark.kind === 'failure') return mark;
    const { markPrice, indexPrice } = mark.value;
    return decoded({ kind: 'mark', ...base, markPrice: Number(markPrice), indexPrice: Number(indexPrice) });
  }
  const funding = decodeBy(fundingRateSchema, channel, data);
  if (funding.kind === 'failure') return funding;
  const { rate, nextFundingTime } = funding.value;
  return decoded({ kind: 'funding', ...base, rate, nextFundingTime });
}
