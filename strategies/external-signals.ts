// Holds what another program says: a signal names a share from −1 to 1 of the largest position. Old signals are not followed,
// and a position whose signals have stopped is closed.
//
//   npx tidewire paper strategies/external-signals.ts --signal-file signals.jsonl --for 60s
//   echo '{"name": "desk", "id": "1", "data": {"share": 0.5}}' >> signals.jsonl
//
// Source: yours. Each line has an id, so that a repeated one counts once; `ts` is the sender's time, Unix ms.
// Parameters: signal (its name), symbol, quantity (at a share of 1), oldestSeconds, silenceMinutes.
// It fails with its signals, and by their delay: a signal that is late by more than the move lasts buys after it.
//
// Evidence (npm run strategies:evidence):
// - Not judged: what its signals are worth is theirs to show.
// (end of evidence)
import { defineStrategy, target, z } from 'tidewire';
import { concat, filter, map, of, switchMap, timer } from 'rxjs';

const message = z.object({ share: z.number().min(-1).max(1) });

export default defineStrategy({
  name: 'external-signals',
  params: z.object({
    signal: z.string().default('desk'),
    symbol: z.string().default('BTCUSDT'),
    quantity: z.number().positive().default(0.01).describe('base units at a share of 1'),
    oldestSeconds: z.number().positive().default(10).describe('a signal that is older when it comes is not followed'),
    silenceMinutes: z.number().positive().default(60).describe('it leaves when no signal has come for so long'),
  }),
  setup({ params, signals, market, clock, log }) {
    const { symbol, quantity } = params;
    const instrument = market.instrument(symbol);

    return signals(params.signal).pipe(
      map(({ id, ts, data }) => {
        const read = message.safeParse(data);
        const isOld = clock.now() - ts > params.oldestSeconds * 1000;
        if (!read.success) log.warn({ id, data }, 'a signal without a share from -1 to 1 is not followed');
        else if (isOld) log.warn({ id, ageMs: clock.now() - ts }, 'an old signal is not followed');
        return read.success && !isOld ? read.data.share : undefined;
      }),
      filter((share) => share !== undefined),
      switchMap((share) =>
        concat(
          of(target(symbol, { quantity: instrument.roundQuantity(share * quantity, 'nearest') })),
          timer(params.silenceMinutes * 60_000).pipe(map(() => target(symbol, { quantity: '0' }))),
        ),
      ),
    );
  },
});
