/** REST results as frames: `<SYMBOL>@mark-price`, `<SYMBOL>@funding-rate`; order books as the channel's snapshots. */
import type { Instruments } from '../../model/market/instrument.ts';
import { BID, type DepthEvent, type MarketEvent } from '../../model/market/market-event.ts';
import { msOf, usOf } from '../../model/time.ts';
import { decodeBy, decoded, decodeFailure, type Decoded } from '../../exchange/wire/decoded.ts';
import {
  fundingRateSchema,
  markPriceSchema,
  type FundingRates,
  type MarkPrices,
} from '../../exchange/wire/market/perpetual-data.ts';

const MARK = '@mark-price';
const FUNDING = '@funding-rate';

export function markFrame(mark: MarkPrices): string {
  return JSON.stringify({ channel: `${mark.symbol}${MARK}`, ts: mark.ts, data: mark });
}

/** As the depth channel sends it. */
export function snapshotFrame({ instrument, exchangeUs, lastId, levels }: DepthEvent): string {
  const bids: [string, string][] = [];
  const asks: [string, string][] = [];
  for (let row = levels.from; row < levels.to; row++) {
    const level: [string, string] = [
      instrument.priceText(levels.ticks[row]!),
      instrument.quantityText(levels.lots[row]!),
    ];
    (levels.sides[row] === BID ? bids : asks).push(level);
  }
  const data = { type: 'snapshot', bids, asks };
  return JSON.stringify({ channel: `${instrument.symbol}@depth`, seq: lastId, ts: msOf(exchangeUs), data });
}

/** `ts`: request, exchange time, Unix ms. */
export function fundingFrame(funding: FundingRates, ts: number): string {
  return JSON.stringify({ channel: `${funding.symbol}${FUNDING}`, ts, data: funding });
}

export function isPolledChannel(channel: string): boolean {
  return channel.endsWith(MARK) || channel.endsWith(FUNDING);
}

/** Or why it cannot be read. */
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
