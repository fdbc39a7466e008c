/**
 * Found by reading: after a restart a market buy of unknown outcome reserved nothing for orders of another symbol with the
 * same quote currency, so that the money it may have spent was promised a second time. For a limit order of its own
 * symbol it counted at the price of that order, however far from the market.
 */
import { expect, it } from 'vitest';
import { BTC, denials, makeRig, trading, type Rig } from '../execution/rig.ts';

const ETH = { ...BTC, symbol: 'ETHUSDT', base: 'ETH' };
const buy = { kind: 'place', side: 'buy', quantity: '0.01' } as const;
const risk = { maxOrderEquityFraction: 1, priceCollar: 1 };

function restarted(): Rig {
  const specs = [BTC, ETH];
  const { journal, clock, venue, executor } = makeRig({ specs, risk });
  venue.balancesNow = [trading('USDT', '1000')];
  venue.start();
  venue.createMode = 'never-arrives';
  executor.submit('maker', { ...buy, symbol: ETH.symbol, type: 'market' });
  venue.createMode = 'accept';
  const rig = makeRig({ journal, clock, venue, specs, risk, bootId: 'b2' });
  expect(rig.executor.unresolvedCount()).toBe(1);
  return rig;
}

it('risk/balance/restored-market-buy-reserves-beside-another-symbol', () => {
  const rig = restarted();
  rig.executor.submit('maker', { ...buy, symbol: BTC.symbol, type: 'limit', price: '59000' });
  expect(denials(rig)).toEqual(['insufficient_balance']);
});

it('risk/balance/restored-market-buy-reserves-at-the-market', () => {
  const rig = restarted();
  rig.executor.submit('maker', { ...buy, symbol: ETH.symbol, type: 'limit', price: '30000', quantity: '0.02' });
  expect(denials(rig)).toEqual(['insufficient_balance']);
});

it('risk/balance/restored-market-buy-without-a-price-holds-back', () => {
  const rig = restarted();
  const { market } = rig;
  const [best, mid] = [market.best(), market.mid()];
  Object.assign(market, {
    best: (symbol: string) => (symbol === BTC.symbol ? best : undefined),
    mid: (symbol: string) => (symbol === BTC.symbol ? mid : undefined),
  });
  rig.executor.submit('maker', { ...buy, symbol: BTC.symbol, type: 'limit', price: '30000' });
  expect(rig.venue.resting()).toEqual([]);
  expect(denials(rig)).toEqual(['no_market']);
});
