/**
 * What a create may look like on the wire (INV-F4): canonical decimal text on the grid of the instrument, above its
 * minimum, below its maximum; and where its price lies in a book.
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';
import { dec } from '../../../src/model/numbers/money.ts';
import type { Top } from './tops-seen.ts';

const CANONICAL = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;
/** Of the sandbox. */
const GRIDS: Readonly<Record<string, { readonly tick: string; readonly lot: string }>> = {
  BTCUSDT: { tick: '0.01', lot: '0.00001' },
  BTCUSDTPERP: { tick: '0.1', lot: '0.0001' },
};

export function checkWire(body: string, wrong: (what: string) => void): void {
  const json: unknown = JSON.parse(body);
  if (!isRecord(json)) {
    wrong('the body is no object');
    return;
  }
  const grid = GRIDS[String(json['symbol'])];
  if (grid === undefined) {
    wrong(`nobody trades ${String(json['symbol'])}`);
    return;
  }
  check('quantity', json['quantity'], grid.lot, wrong);
  if (json['type'] === 'limit') check('price', json['price'], grid.tick, wrong);
}

/** Whether the order trades at once in a book with these best prices, in ticks; 0 is an empty side. */
export function crossesBook(body: string, top: Top | undefined): boolean {
  const json: unknown = JSON.parse(body);
  const grid = isRecord(json) ? GRIDS[String(json['symbol'])] : undefined;
  if (!isRecord(json) || grid === undefined || top === undefined || typeof json['price'] !== 'string') return false;
  const ticks = dec(json['price']).div(grid.tick);
  if (json['side'] === 'buy') return top.askTicks > 0 && ticks.gte(top.askTicks);
  return top.bidTicks > 0 && ticks.lte(top.bidTicks);
}

function check(name: string, value: unknown, step: string, wrong: (what: string) => void): void {
  if (typeof value !== 'string' || !CANONICAL.test(value)) wrong(`${name} ${String(value)} is not canonical`);
  else if (!dec(value).gt(0) || !dec(value).div(step).isInteger()) wrong(`${name} ${value} is no multiple of ${step}`);
}
