// Executes one order as a share of what others trade: fast in a busy market, slow in a quiet one, never more than the share.
// Begins when the spread is narrow.
//
//   npx tidewire backtest strategies/pov-execution.ts --data data/sample --without-lockbox
//
// Source: D. Bertsimas and A. Lo, Optimal control of execution costs, Journal of Financial Markets 1 (1998), on why size goes with
// volume. The program `pov` of docs/programs.md carries it out.
// Parameters: side, quantity, participation, overSeconds, maxSpreadBps.
// It is no way to earn: it fails where volume dries up (what is left at the end is said, not bought) and where volume is printed by those
// who trade against it.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: +6.40 USDT in 0 trades after 1.50 of fees. No
//   evidence: it never closes what it opens.
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −8.68 USDT in 0 trades after 1.55 of fees.
//   No evidence: it never closes what it opens.
// (end of evidence)
import { defineStrategy, note, pov, z } from 'tidewire';
import { filter, last, map, merge, startWith, take, tap, withLatestFrom } from 'rxjs';

export default defineStrategy({
  name: 'pov-execution',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    side: z.enum(['buy', 'sell']).default('buy'),
    quantity: z.string().default('0.05').describe('base units'),
    participation: z.number().positive().max(1).default(0.1).describe('share of the printed volume'),
    overSeconds: z.number().positive().default(240).describe('what is not filled by then is left'),
    maxSpreadBps: z.number().positive().default(5).describe('it begins once the spread is at most this'),
  }),
  setup({ params, market, account, clock, state, log }) {
    const { symbol, side, quantity, participation } = params;
    const view = market.view(symbol);
    // Survives a restart: the order goes on then, and is not given again.
    const arrival = state(z.number(), 0, 'arrival');
    const given = state(z.string(), '', 'given');
    // Never used again, as `--new` forgets `state` and no ref.
    const ref = state(z.string(), `parent-${Math.floor(clock.now())}`, 'ref');
    ref.set(ref.get());
    const asked = `${side} ${quantity} ${symbol}`;
    const isGiven = arrival.get() !== 0;

    const parent = clock.every('1s').pipe(
      filter(() => ((view.ask - view.bid) / view.mid) * 1e4 <= params.maxSpreadBps),
      take(1),
      filter(() => arrival.get() === 0),
      tap(() => {
        arrival.set(view.mid);
        given.set(asked);
      }),
      map(() => pov({ symbol, side, quantity, participation, over: `${params.overSeconds}s`, ref: ref.get() })),
    );
    // One order a session: whoever asks for another must know that it is not given.
    const notGiven = clock.every('1s').pipe(
      take(1),
      withLatestFrom(account.program(ref.get()).pipe(startWith(null))),
      filter(([, before]) => isGiven && (before?.state !== 'working' || given.get() !== asked)),
      map(([, before]) => {
        const report = { asked, given: given.get(), state: before?.state ?? 'ended', filled: before?.filled ?? null };
        const text = 'no order is given: this session gave its parent before; run it with --new to give another';
        log.warn(report, text);
        return note(text, report);
      }),
    );
    const result = account.program(ref.get()).pipe(
      last(undefined, null),
      filter((done) => done !== null),
      map(({ state: end, reason, filled, averagePrice }) => {
        const sign = side === 'buy' ? 1 : -1;
        const shortfallBps = sign * (Number(averagePrice ?? Number.NaN) / arrival.get() - 1) * 1e4;
        log.info({ filled, averagePrice, shortfallBps }, `parent ${end}: ${reason}`);
        return note(`parent ${end}: ${reason}`, { filled, averagePrice, shortfallBps });
      }),
    );
    return merge(notGiven, parent, result);
  },
});
