/** What a journal has booked of a liquidation is known by its trade, under the causes of this build and of older ones. */
import { expect, it } from 'vitest';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import {
  EXTERNAL_LIQUIDATION,
  EXTERNAL_TRADE,
  OWN_LIQUIDATION,
  externalTradeKey,
  liquidationKey,
} from '../../src/spine/external-keys.ts';
import { TradingState } from '../../src/spine/trading-state.ts';

const fill: VenueFill = {
  tradeId: 't7',
  orderId: '17',
  symbol: 'BTCUSDTPERP',
  market: 'derivative',
  side: 'sell',
  price: '60000',
  quantity: '0.5',
  fee: '0',
  feeCurrency: 'USDT',
  liquidity: 'taker',
  ts: 1,
};

function bookedUnder(cause: string): TradingState {
  const state = new TradingState();
  const id = externalTradeKey(fill, fill.symbol);
  state.adjust({ id, subject: 'position', name: fill.symbol, quantity: '-0.5', cause }, 1);
  return state;
}

it.each([EXTERNAL_LIQUIDATION, OWN_LIQUIDATION, 'liquidation of others', 'liquidation of ours'])(
  'spine/adjust/%s/is-booked-as-a-liquidation',
  (cause) => expect(bookedUnder(cause).isBooked(liquidationKey(fill))).toBe(true),
);

it('spine/adjust/an-external-trade/moves-the-position-and-is-no-liquidation', () => {
  for (const cause of [EXTERNAL_TRADE, 'trade of others']) {
    const state = bookedUnder(cause);
    expect(state.isBooked(liquidationKey(fill))).toBe(false);
    expect([...state.movedByOthers.keys()]).toEqual([fill.symbol]);
  }
});
