/** Events as lines of the `jsonl` import format. */
import type { Instrument } from '../../model/market/instrument.ts';
import { BID, type DepthEvent, type MarketEvent, type SequenceRule } from '../../model/market/market-event.ts';

/** `rule` gives the names of depth ids. */
export function jsonLine(event: MarketEvent, rule: SequenceRule): string {
  const { instrument } = event;
  const base = { ts: event.exchangeUs / 1000, recv: event.receiveUs / 1000, symbol: instrument.symbol };
  return JSON.stringify({ ...base, ...bodyOf(event, instrument, rule) });
}

function bodyOf(event: MarketEvent, instrument: Instrument, rule: SequenceRule): Readonly<Record<string, unknown>> {
  switch (event.kind) {
    case 'depth':
      return { type: event.snapshot ? 'snapshot' : 'depth', ...idsOf(event, rule), ...levelsOf(event, instrument) };
    case 'trade':
      return {
        type: 'trade',
        tradeId: event.tradeId,
        price: instrument.priceText(event.ticks),
        quantity: instrument.quantityText(event.lots),
        side: event.takerBuys ? 'buy' : 'sell',
      };
    case 'quote':
      return {
        type: 'quote',
        ...(event.updateId === 0 ? {} : { updateId: event.updateId }),
        ...(event.bidLots === 0 ? {} : { bid: instrument.priceText(event.bidTicks) }),
        bidQuantity: instrument.quantityText(event.bidLots),
        ...(event.askLots === 0 ? {} : { ask: instrument.priceText(event.askTicks) }),
        askQuantity: instrument.quantityText(event.askLots),
      };
    case 'candle': {
      const { openTime, intervalMs, open, high, low, close, volume, closed } = event;
      return { type: 'candle', openTime, intervalMs, open, high, low, close, volume, closed };
    }
    case 'ticker': {
      const { last, bid, ask, open, high, low, volume, quoteVolume } = event;
      return { type: 'ticker', last, bid, ask, open, high, low, volume, quoteVolume };
    }
    case 'mark':
      return { type: 'mark', markPrice: event.markPrice, indexPrice: event.indexPrice };
    case 'funding':
      return { type: 'funding', rate: event.rate, nextFundingTime: event.nextFundingTime };
    case 'gap':
      return { type: 'gap', from: event.fromUs / 1000, open: event.open, reason: event.reason };
  }
}

function idsOf(event: DepthEvent, rule: SequenceRule): Readonly<Record<string, number>> {
  if (event.lastId === 0) return {};
  if (rule === 'pu') return { U: event.firstId, u: event.lastId, pu: event.previousId };
  return rule === 'U/u' ? { U: event.firstId, u: event.lastId } : { seq: event.lastId };
}

function levelsOf(event: DepthEvent, instrument: Instrument): Readonly<Record<string, unknown>> {
  const bids: string[][] = [];
  const asks: string[][] = [];
  const { sides, ticks, lots, from, to } = event.levels;
  for (let row = from; row < to; row++) {
    const level = [instrument.priceText(ticks[row]!), instrument.quantityText(lots[row]!)];
    (sides[row] === BID ? bids : asks).push(level);
  }
  return { bids, asks };
}
