/** The book of one request as text: price and quantity, the best first. */
import { ASK, type DepthEvent } from '../../model/market/market-event.ts';
import { Instruments } from '../../model/market/instrument.ts';
import type { Answer } from '../../exchange/client/operations/answer.ts';
import type { ExchangeReads } from '../../exchange/exchange-reads.ts';
import { refusedBeforehand } from '../../operations/exchange/answers.ts';
import type { Snapshot } from './outputs/market.ts';

/** Throws `operation_refused` with `unknown_symbol`. */
export async function readSnapshot(
  { marketData }: Pick<ExchangeReads, 'marketData'>,
  symbol: string,
  limit: number,
): Promise<Answer<Snapshot>> {
  const spot = await marketData.spotInstruments();
  if (spot.kind === 'failed') return spot;
  const perpetuals = await marketData.derivativeInstruments();
  const known = [...spot.value, ...(perpetuals.kind === 'failed' ? [] : perpetuals.value)];
  const instrument = new Instruments(known).find(symbol);
  if (instrument === undefined)
    throw refusedBeforehand('the book', 'unknown_symbol', `the exchange has no ${symbol}`, 'symbol');
  const answer = await marketData.orderBook(instrument, limit);
  return answer.kind === 'failed' ? answer : { kind: 'value', value: snapshotOf(answer.value, limit) };
}

function snapshotOf({ instrument, exchangeUs, lastId, levels }: DepthEvent, limit: number): Snapshot {
  const rows = Array.from({ length: levels.to - levels.from }, (_, index) => levels.from + index)
    .filter((at) => levels.lots[at]! > 0)
    .map((at) => ({ isAsk: levels.sides[at] === ASK, ticks: levels.ticks[at]!, lots: levels.lots[at]! }));
  const side = (isAsk: boolean): Snapshot['bids'] =>
    rows
      .filter((row) => row.isAsk === isAsk)
      .toSorted((a, b) => (isAsk ? a.ticks - b.ticks : b.ticks - a.ticks))
      .slice(0, limit)
      .map(({ ticks, lots }) => [instrument.priceText(ticks), instrument.quantityText(lots)]);
  return { symbol: instrument.symbol, ts: exchangeUs / 1000, lastId, bids: side(false), asks: side(true) };
}
