/**
 * Found by 2,000 simulated hours (seed 40301903): the law of reductions blamed one that the exchange had falsely called
 * canceled. What it was to close had been closed by another order since; whoever believes an answer cannot know better.
 */
import { expect, it } from 'vitest';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { Owner } from '../simulation/world/futures/laws.ts';
import { SpotPositions } from '../simulation/world/spot-positions.ts';
import type { VenueSide } from '../simulation/world/venue-side.ts';

const OWNER: Owner = { strategy: 'restless', reduceOnly: true };
const terms = { symbol: 'BTCUSDT', market: 'spot', price: '60000', fee: '0', feeCurrency: 'USDT' } as const;
const trade = (orderId: string, side: 'buy' | 'sell', quantity: string): VenueFill => {
  return { ...terms, tradeId: `t-${orderId}`, orderId, side, quantity, liquidity: 'maker', ts: 1 };
};

function violations(calledOver: readonly string[]): readonly string[] {
  const found: string[] = [];
  const positions = new SpotPositions({
    venue: { calledOver: new Set(calledOver), isOthers: () => false } as unknown as VenueSide,
    ownerOf: () => OWNER,
    decidedAt: () => 0,
    violated: (law) => found.push(law),
  });
  positions.trade(trade('reduction', 'buy', '0.015'), OWNER);
  return found;
}

it('is not to blame for what it opens', () => expect(violations(['reduction'])).toEqual([]));
it('any other is', () => expect(violations([])).toEqual(['R4']));
