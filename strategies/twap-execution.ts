// Executes one order over time: a TWAP in equal slices, each passive first and crossing at its end. Says at the end what it
// paid against the price of its start and against the average price meanwhile.
//
//   npx tidewire backtest strategies/twap-execution.ts --data data/sample --without-lockbox
//
// Source: R. Almgren and N. Chriss, Optimal execution of portfolio transactions, Journal of Risk 3 (2000): even slices are optimal
// for who does not mind risk. The program `twap` of docs/programs.md carries it out.
// Parameters: side, quantity, overSeconds, slices, urgency.
// It is no way to earn: it fails when the price runs away while it waits. Its measure is the shortfall that it reports.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: +6.56 USDT in 0 trades after 0.97 of fees. No
//   evidence: it never closes what it opens.
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −7.90 USDT in 0 trades after 0.85 of fees.
//   No evidence: it never closes what it opens.
// (end of evidence)
import { defineStrategy, note, twap, z } from 'tidewire';
import { filter, ignoreElements, last, map, merge, startWith, take, tap, withLatestFrom } from 'rxjs';

export default defineStrategy({
  name: 'twap-execution',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    side: z.enum(['buy', 'sell']).default('buy'),
    quantity: z.string().default('0.05').describe('base units'),
    overSeconds: z.number().positive().default(120),
    slices: z.number().int().min(1).max(100).default(12),
    urgency: z.enum(['low', 'normal', 'high']).default('normal').describe('when a slice crosses: end, half, at once'),
  }),
  setup({ params, market, account, clock, state, log }) {
    const { symbol, side, quantity, slices, urgency } = params;
    const view = market.view(symbol);
    // Survives a restart: the order goes on then, and is not given again.
    const arrival = state(z.number(), 0, 'arrival');
    const given = state(z.string(), '', 'given');
    // Never used again, as `--new` forgets `state` and no ref.
    const ref = state(z.string(), `parent-${Math.floor(clock.now())}`, 'ref');
    ref.set(ref.get());
    const asked = `${side} ${quantity} ${symbol}`;
    const isGiven = arrival.get() !== 0;
    const mids: number[] = [];
    const sign = side === 'buy' ? 1 : -1;

    const order = clock.every('1s').pipe(
      filter(() => !Number.isNaN(view.mid)),
      tap(() => mids.push(view.mid)),
    );
    const parent = order.pipe(
      take(1),
      filter(() => arrival.get() === 0),
      tap(() => {
        arrival.set(view.mid);
        given.set(asked);
      }),
      map(() => twap({ symbol, side, quantity, over: `${params.overSeconds}s`, slices, urgency, ref: ref.get() })),
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
      map(({ state: end, filled, averagePrice }) => {
        const paid = Number(averagePrice ?? Number.NaN);
        const mean = mids.reduce((sum, mid) => sum + mid, 0) / mids.length;
        const against = (price: number): number => sign * (paid / price - 1) * 1e4;
        const report = { filled, averagePrice, shortfallBps: against(arrival.get()), againstMeanBps: against(mean) };
        log.info(report, `parent ${end}`);
        return note(`parent ${end}`, report);
      }),
    );
    return merge(notGiven, parent, order.pipe(ignoreElements()), result);
  },
});
