/** Looks at the market by the clock and by samples, notes what it sees, and holds a position by it. */
import { defineStrategy, note, target, z, type Action } from 'tidewire';
import { map, merge, type Observable } from 'rxjs';

export default defineStrategy({
  name: 'viewing',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ params, market, clock }): Observable<Action | Action[]> {
    const { symbol } = params;
    const view = market.view(symbol);
    return merge(
      clock.every('130ms').pipe(
        map(() => {
          const { bid, ask, mid, last } = view;
          const depth = view.bids(5).reduce((sum, { quantity }) => sum + quantity, 0);
          const seen = note('view', { bid, ask, mid, last, depth });
          return Number.isNaN(mid) ? [seen] : [seen, target(symbol, { quantity: last > mid ? '0.002' : '0' })];
        }),
      ),
      market.top(symbol, { every: '90ms' }).pipe(map(({ bid, ask }) => note('top', { bid, ask }))),
      market
        .book(symbol, { every: '70ms' })
        .pipe(map((book) => note('book', { best: book.bids(1), second: book.asks(2) }))),
    );
  },
});
