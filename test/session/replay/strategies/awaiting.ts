/** Decides after an `await` by what the market has become by then; one way to begin it per case. */
import { defineStrategy, note, z } from 'tidewire';
import { concatMap, ignoreElements, interval, merge, tap, type Observable } from 'rxjs';

export default defineStrategy({
  name: 'awaiting',
  params: z.object({ begins: z.enum(['timer', 'frequent timers', 'one of two markets']).default('timer') }),
  setup({ params: { begins }, market }) {
    let latest = 0;
    const awaited = (name: string, begin: Observable<unknown>) =>
      begin.pipe(
        concatMap(async () => {
          await Promise.resolve();
          await Promise.resolve();
          return note(name, { latest });
        }),
      );
    const cases = {
      timer: () => [awaited('timer', interval(70))],
      'frequent timers': () => [awaited('three', interval(3)), awaited('seven', interval(7))],
      'one of two markets': () => [awaited('other', market.top('BTCUSDT'))],
    };
    return merge(
      merge(market.top('BTCUSDT'), market.top('ETHUSDT')).pipe(
        tap(({ mid }) => {
          latest = mid;
        }),
        ignoreElements(),
      ),
      ...cases[begins](),
    );
  },
});
