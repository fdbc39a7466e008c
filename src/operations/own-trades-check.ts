/** Verifies the setting `ownTradeSide`: compares past trades with their resting orders. */
import type { Exchange } from '../exchange/exchange.ts';
import type { OwnTradeSide } from '../exchange/own-trade-side.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { Market } from '../model/market/instrument.ts';
import type { OrderReport } from '../model/trading/order.ts';
import { checked, type Check } from './doctor.ts';

const NAME = 'own trades';
const PAST_MS = 7 * 86_400_000;

export interface OwnTradesWish {
  readonly exchange: Pick<Exchange, 'orders'>;
  readonly ownTradeSide: OwnTradeSide;
  readonly markets: readonly Market[];
  /** By the exchange's clock, Unix ms. */
  readonly now: number;
}

/** Each trade should have its order's side. */
export function checkOwnTrades({ exchange, ownTradeSide, markets, now }: OwnTradesWish): Promise<Check> {
  return checked(NAME, 'Check the network and the rights of the key.', async () => {
    const compared: boolean[] = [];
    for (const market of markets) {
      const request = { market, from: now - PAST_MS };
      const orders = await exchange.orders.history(request);
      const trades = await exchange.orders.ownTrades(request);
      if (orders.kind === 'failed' || trades.kind === 'failed')
        return { name: NAME, state: 'warn', text: 'orders and own trades of the last week could not be read' };
      compared.push(...agreements(orders.items, trades.items));
    }
    return verdict(compared, ownTradeSide);
  });
}

/** For taker trades both meanings agree. */
function agreements(orders: readonly OrderReport[], trades: readonly VenueFill[]): readonly boolean[] {
  const sides = new Map(orders.map(({ orderId, side }) => [orderId, side]));
  return trades.flatMap(({ orderId, liquidity, side }) =>
    liquidity === 'maker' && sides.has(orderId) ? [sides.get(orderId) === side] : [],
  );
}

function verdict(compared: readonly boolean[], ownTradeSide: OwnTradeSide): Check {
  const said = `exchange.ownTradeSide is ${ownTradeSide}`;
  const differ = compared.filter((agrees) => !agrees).length;
  if (differ === 0) {
    const none = 'no order of the last week that rested was filled, to compare it with';
    const found = compared.length === 0 ? none : `trades of the last week that agree: ${compared.length}`;
    return { name: NAME, state: 'ok', text: `${said}; ${found}` };
  }
  const other = ownTradeSide === 'own' ? 'taker' : 'own';
  return {
    name: NAME,
    state: 'fail',
    text: `${said}, and ${differ} of ${compared.length} trades of the last week bear the side that their orders do not have`,
    hint:
      differ === compared.length
        ? `Set exchange.ownTradeSide to ${other}.`
        : 'The exchange reports both meanings: ask its support. Fills of your orders are booked by their orders either way.',
  };
}
