/** Decides after an `await` by what the market has become by then; one way to begin it per case. */
import { defineStrategy, note, z } from 'tidewire';
import {
  asapScheduler,
  concatMap,
  delay,
  ignoreElements,
  interval,
  map,
  merge,
  observeOn,
  tap,
  type Observable,
} from 'rxjs';

export default defineStrategy({
  name: 'awaiting',
  params: z.object({
    begins: z.enum(['timer', 'frequent timers', 'one of two markets', 'what reads the time']).default('timer'),
  }),
  setup({ params: { begins }, market, clock }) {
    let latest = 0;
    const awaited = (name: string, begin: Observable<unknown>) =>
      begin.pipe(
        concatMap(async () => {
          await Promise.resolve();
          await Promise.resolve();
          return note(name, { latest });
        }),
      );
    const dated = (name: string, begin: Observable<unknown>) =>
      awaited(name, begin).pipe(map(({ text }) => note(text, { at: clock.now() })));
    const cases = {
      timer: () => [awaited('timer', interval(70))],
      'frequent timers': () => [awaited('three', interval(3)), awaited('seven', interval(7))],
      'one of two markets': () => [awaited('other', market.top('BTCUSDT'))],
      'what reads the time': () => [
        dated('a frame', market.top('BTCUSDT')),
        dated('a timer', interval(70)),
        // Set after the await.
        dated('another timer', interval(90)).pipe(
          delay(7),
          map(({ text }) => note(text, { at: clock.now() })),
        ),
        market.top('ETHUSDT').pipe(
          observeOn(asapScheduler),
          map(() => note('asap', { at: clock.now(), latest })),
        ),
      ],
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
