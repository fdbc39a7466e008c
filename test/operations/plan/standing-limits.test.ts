/** Against which limits a plan holds what stands. */
import { describe, expect, it } from 'vitest';
import { limitsSchema, riskSchema } from '../../../src/risk/options.ts';
import { replayRows } from '../../../src/spine/replay.ts';
import type { TradingState } from '../../../src/spine/trading-state.ts';
import type { PositionSide, Side } from '../../../src/model/trading/order.ts';
import { standingLimits } from '../../../src/operations/plan/standing-limits.ts';
import { makeRig, PERP } from '../../execution/rig.ts';

describe('what stands', () => {
  const risk = riskSchema.parse({ maxPosition: '1', symbols: { [PERP.symbol]: { maxPosition: '5' } } });

  /** Of a session that holds so much on these sides. */
  function held(...parts: readonly (readonly [PositionSide, Side, string])[]): TradingState {
    const { venue, executor, journal } = makeRig({ specs: [PERP], risk: { maxOrderEquityFraction: 10 } });
    for (const [positionSide, side, quantity] of parts) {
      const { symbol } = PERP;
      executor.submit('maker', { kind: 'place', symbol, side, type: 'limit', price: '60000', quantity, positionSide });
      venue.tellFill(venue.resting()[0]?.orderId ?? '', quantity);
    }
    return replayRows(journal.read()).state;
  }

  it('is held against the tighter of the limits of account and symbol', () => {
    const rows = standingLimits(held(['both', 'buy', '2']), { risk, strategies: new Map(), reporting: 'USDT' });
    expect(rows).toContainEqual({ limit: 'maxPosition', of: PERP.symbol, stands: '2', allowed: '1', passed: false });
  });

  it('is held against them by the side of a hedge, as orders are', () => {
    const strategies = new Map([['maker', limitsSchema.parse({ maxPosition: '0.1' })]]);
    const rows = standingLimits(held(['long', 'buy', '2'], ['short', 'sell', '2']), {
      risk,
      strategies,
      reporting: 'USDT',
    });
    const stood = rows.flatMap(({ limit, of, stands }) => (limit === 'maxPosition' ? [[of, stands]] : []));
    const [long, short] = [`${PERP.symbol}/long`, `${PERP.symbol}/short`];
    expect(stood).toEqual([
      [long, '2'],
      [short, '2'],
      [`maker in ${long}`, '2'],
      [`maker in ${short}`, '2'],
    ]);
  });
});
