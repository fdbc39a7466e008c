/** The recording of `data/sample` for the trials of programs. Its wire frames are read by the project's own decoder. */
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import type { MarketEvent } from '../../../src/model/market/market-event.ts';
import type { Dataset } from '../dataset.ts';
import type { Frame, Row } from '../frames.ts';
import { type BookStep, marketSteps } from '../market.ts';

export const SAMPLE = 'sample';
const PATH = 'data/sample';
const BASE_LATENCY_US = 1000;

export async function openSample(symbol: string): Promise<Dataset> {
  const tape = await openTape([PATH], { baseLatencyUs: BASE_LATENCY_US });
  const instrument = tape.instruments.find((other) => other.symbol === symbol);
  if (instrument === undefined) throw new Error(`the sample has no ${symbol}`);
  const frames: Frame[] = [];
  const cursor = tape.cursor('receive');
  while (cursor.nextUs !== Infinity) {
    const event = cursor.next();
    const frame = event.instrument.symbol === symbol ? frameOf(event, frames.length) : undefined;
    if (frame !== undefined) frames.push(frame);
  }
  const recorded = {
    isDerivative: instrument.market === 'derivative',
    priceScale: decimalsOf(instrument.tick),
    quantityScale: decimalsOf(instrument.lot),
    frames: frames.toSorted((a, b) => a.us - b.us || a.line - b.line),
  };
  const market = { default: marketSteps(recorded, 'default'), hft: marketSteps(recorded, 'hft') };
  const touches = market.default.steps.filter((step): step is BookStep => step.kind === 'book');
  const rows = frames.flatMap((frame) => (frame.kind === 'trade' ? [frame.quantity] : []));
  const sizeMost = Math.ceil((4 * rows.reduce((sum, quantity) => sum + quantity, 0)) / rows.length);
  const close = (): void => tape.close();
  const base = symbol.slice(0, 3);
  return { name: `${SAMPLE} ${symbol}`, symbol, base, recorded, market, path: PATH, tape, touches, sizeMost, close };
}

function frameOf(event: MarketEvent, line: number): Frame | undefined {
  const base = { line, us: event.exchangeUs, receiveUs: event.receiveUs, isGuess: false };
  if (event.kind === 'trade') {
    const { ticks, lots, takerBuys } = event;
    return { ...base, kind: 'trade', id: line, price: ticks, quantity: lots, side: takerBuys ? 'buy' : 'sell' };
  }
  if (event.kind !== 'depth') return undefined;
  const { levels, snapshot, firstId, lastId } = event;
  const [bids, asks]: [Row[], Row[]] = [[], []];
  for (let row = levels.from; row < levels.to; row += 1)
    (levels.sides[row] === 0 ? bids : asks).push([levels.ticks[row] ?? 0, levels.lots[row] ?? 0]);
  return { ...base, kind: snapshot ? 'snapshot' : 'depth', first: firstId, last: lastId, previous: null, bids, asks };
}

const decimalsOf = (step: number): number => Math.round(-Math.log10(step));
