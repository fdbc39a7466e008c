/**
 * Decides by all that a strategy is told: fills, denials, states of orders, its position and balance, gaps, timers, chance
 * and a stored value. So a replay that tells any of it otherwise decides otherwise.
 */
import { cancel, cancelAll, defineStrategy, note, place, quote, z } from 'tidewire';
import { filter, interval, map, merge, mergeMap, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'reactive',
  params: z.object({ symbol: z.string().default('BTCUSDT'), quantity: z.string().default('0.01') }),
  setup({ params: { symbol, quantity }, market, account, random, state, clock }) {
    const instrument = market.instrument(symbol);
    const rounds = state(z.number(), 0, 'rounds');
    const quotes = market.top(symbol).pipe(
      throttleTime(200),
      map(({ bid, ask }) => {
        rounds.set(rounds.get() + 1);
        const held = Number(account.position(symbol).quantity);
        const shift = random() > 0.5 ? instrument.spec.tickSize : '0';
        return quote(symbol, {
          bids: held > 0.05 ? [] : [{ price: instrument.roundPrice(bid - Number(shift), 'down'), quantity }],
          asks: held < -0.05 ? [] : [{ price: instrument.roundPrice(ask + Number(shift), 'up'), quantity }],
        });
      }),
    );
    const answers = account
      .fills()
      .pipe(
        map((fill) =>
          note(`filled ${fill.side} ${fill.quantity} at ${fill.price}`, { left: account.balance('USDT').available }),
        ),
      );
    const denials = account.orders().pipe(
      filter(({ state: now }) => now === 'denied' || now === 'rejected' || now === 'canceled'),
      map((order) =>
        note(`${order.ref} ${order.state} ${order.reason ?? ''}`, { open: account.openOrders(symbol).length }),
      ),
    );
    const takers = interval(700).pipe(
      mergeMap((count) => {
        const ref = `taker-${rounds.get()}-${count}`;
        const price = market.instrument(symbol).roundPrice(1000 + count, 'nearest');
        return count % 3 === 2
          ? [cancel({ ref: account.openOrders(symbol)[0]?.ref ?? 'none' }), cancelAll({ tag: 'low' })]
          : count % 3 === 1
            ? [place({ symbol, side: count % 2 === 0 ? 'buy' : 'sell', type: 'market', quantity, ref })]
            : [place({ symbol, side: 'buy', type: 'limit', price, quantity, ref, tag: 'low' })];
      }),
    );
    const gaps = market
      .gaps(symbol)
      .pipe(map((gap) => note(`gap ${gap.to === null ? 'opens' : 'ends'}: ${gap.reason}`, { at: clock.now() })));
    const positions = account.positions().pipe(map(({ quantity: held }) => note(`holds ${held}`)));
    return merge(quotes, answers, denials, takers, gaps, positions);
  },
});
