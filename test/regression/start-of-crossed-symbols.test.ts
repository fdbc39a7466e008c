/**
 * Without `account.start` the capital of an account with a symbol such as ETHBTC beside BTCUSDT was that of whichever came
 * first: 100,000 BTC, or BTC worth 100,000 USDT. Every share of the equity hung on it.
 */
import { describe, expect, it } from 'vitest';
import { Instruments, type InstrumentSpec } from '../../src/model/market/instrument.ts';
import { dec, type Decimal } from '../../src/model/numbers/money.ts';
import { StartGrants } from '../../src/simulation/money/start-grants.ts';
import type { Purse } from '../../src/simulation/money/purse.ts';
import type { SymbolVenue } from '../../src/simulation/venue/symbol-venue.ts';
import { BTC, PERP } from '../execution/rig.ts';

const ETH: InstrumentSpec = { ...BTC, symbol: 'ETHUSDT', base: 'ETH', lotSize: '0.001' };
const CROSS: InstrumentSpec = { ...ETH, symbol: 'ETHBTC', quote: 'BTC' };
const RUB: InstrumentSpec = { ...BTC, symbol: 'USDTRUB', base: 'USDT', quote: 'RUB' };
const MIDS: Readonly<Record<string, string>> = { BTCUSDT: '50000', ETHUSDT: '2500', ETHBTC: '0.05', USDTRUB: '80' };

/** What is held once every symbol has had its events in this order. */
function held(specs: readonly InstrumentSpec[], order: readonly string[], traded = specs): Record<string, string> {
  const instruments = new Instruments(specs);
  const amounts: Record<string, string> = {};
  const purse = {
    grant: (currency: string, amount: Decimal) => (amounts[currency] = amount.toFixed()),
  } as unknown as Purse;
  const grants = new StartGrants(purse, {}, new Instruments(traded).all());
  grants.open();
  const symbols = order.map((symbol) => {
    const instrument = instruments.find(symbol)!;
    const perpetual = instrument.market === 'derivative' ? {} : null;
    const mid = MIDS[symbol] === undefined ? null : dec(MIDS[symbol]);
    return { instrument, perpetual, mid, granted: false } as unknown as SymbolVenue;
  });
  for (let round = 0; round < 2; round++) for (const symbol of symbols) if (!symbol.granted) grants.grant(symbol);
  expect(symbols.every(({ granted }) => granted)).toBe(true);
  return amounts;
}

function orders(symbols: readonly string[]): readonly (readonly string[])[] {
  if (symbols.length < 2) return [symbols];
  return symbols.flatMap((first) => orders(symbols.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

describe('simulation/start-of-crossed-symbols', () => {
  it.each(orders(['BTCUSDT', 'ETHUSDT', 'ETHBTC']))('is the same for %s, %s, %s', (...order) => {
    expect(held([BTC, ETH, CROSS], order)).toEqual({ USDT: '100000', BTC: '2', ETH: '40' });
  });

  it.each(orders(['BTCUSDT', 'ETHBTC']))('is as much of the base by way of the cross: %s, %s', (...order) => {
    expect(held([BTC, CROSS], order)).toEqual({ USDT: '100000', BTC: '2', ETH: '40' });
  });

  it.each(orders(['BTCUSDT', 'BTCUSDTPERP']))('is once of a currency: %s, %s', (...order) => {
    expect(held([BTC, PERP], order)).toEqual({ USDT: '100000', BTC: '2' });
  });

  it.each(orders(['BTCUSDT', 'USDTRUB']))('is not of a symbol that is in the data alone: %s, %s', (...order) => {
    expect(held([BTC, RUB], order, [BTC])).toEqual({ USDT: '100000', BTC: '2', RUB: '100000' });
  });

  it('is 100,000 of the quote where that is traded against nothing', () => {
    expect(held([CROSS], ['ETHBTC'])).toEqual({ BTC: '100000', ETH: '2000000' });
  });
});
