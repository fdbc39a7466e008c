/**
 * Tape replay in events per second (level rows, trades and best quotes, each counted once though the venue's side and
 * the strategy's side both get it): the whole backtest of `spread-maker` beside what it cannot be faster than.
 *
 *   scan        every column of the tape read once, in order       what memory allows
 *   bare loop   columns → one ladder → Subject                     what a prototype measures
 *   cursors     both cursors of the tape, nothing done
 *   book        tape → venue with matching, tape → market data     no strategy
 *   idle        a backtest whose strategy asks for nothing         engine, equity and result, no action
 *   backtest    all of it: RxJS, strategy, executor, risk, journal in memory, equity, result
 *   CLI         the same in a fresh process, as a user starts it; its own figure, without loading
 *
 * Then the same for candles, where the real file of candles is beside the repository.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, map, Subject } from 'rxjs';
import { Instruments } from '../src/model/market/instrument.ts';
import { createLadder } from '../src/model/book/ladder.ts';
import type { DepthEvent } from '../src/model/market/market-event.ts';
import { silentLogger } from '../src/model/ports.ts';
import { seededRandom } from '../src/model/random.ts';
import { copyDepth } from '../src/model/book/depth-buffer.ts';
import { openTape, shareTapes } from '../src/recording/tape/open-tape.ts';
import { TapeFile } from '../src/recording/tape/tape-file.ts';
import type { SharedTape, Tape } from '../src/recording/tape/tape.ts';
import { backtest } from '../src/session/backtest.ts';
import { loadConfig } from '../src/session/config/load.ts';
import { replayTape } from '../src/session/feed/replay-tape.ts';
import { prepareStrategies } from '../src/session/strategies.ts';
import { simulationOptions } from '../src/simulation/options.ts';
import { SimulatedVenue } from '../src/simulation/venue/venue.ts';
import { VirtualClock } from '../src/simulation/clock/virtual-clock.ts';
import { MarketData } from '../src/streams/market-data.ts';
import { print, race, seconds } from './harness.ts';
import {
  benchData,
  CANDLE_SYMBOL,
  candleData,
  EMA_CROSS,
  IDLE,
  IMBALANCE,
  MAIN,
  MAKER_BY_CLOCK,
  SPREAD_MAKER,
  type BenchData,
} from './recordings.ts';

type Params = Readonly<Record<string, string>>;

/** Depth messages of the tape, and how many other events lie between them. */
function columnsOf(tape: Tape): { readonly depth: readonly DepthEvent[]; readonly others: Uint32Array } {
  const depth: DepthEvent[] = [];
  const others: number[] = [];
  let between = 0;
  for (const cursor = tape.cursor('receive'); cursor.nextUs !== Infinity;) {
    const event = cursor.next();
    if (event.kind !== 'depth') {
      between++;
      continue;
    }
    depth.push(copyDepth(event));
    others.push(between);
    between = 0;
  }
  return { depth, others: Uint32Array.from(others) };
}

/** The tape in memory, its columns of doubles read once. */
function scan(tape: SharedTape, passes: number): number {
  const file = TapeFile.ofShared(tape);
  let sum = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (let index = 0; index < file.footer.chunks.length; index++) {
      const { exchangeUs, receiveUs, values, ticks, lots } = file.hold(index);
      for (const column of [exchangeUs, receiveUs, values, ticks, lots]) {
        for (let row = 0; row < column.length; row++) sum += column[row]!;
      }
      file.release(index);
    }
  }
  file.close();
  return sum;
}

/** Columns to one ladder to a Subject with two operators; trades and quotes go to the Subject alone. */
function bareLoop({ depth, others }: ReturnType<typeof columnsOf>, passes: number): number {
  const ladder = createLadder(depth[0]!.instrument);
  const mids = new Subject<number>();
  let seen = 0;
  mids
    .pipe(
      map((mid) => mid / 2),
      filter((mid) => mid > 0),
    )
    .subscribe(() => seen++);
  for (let pass = 0; pass < passes; pass++) {
    for (let index = 0; index < depth.length; index++) {
      ladder.applyDepth(depth[index]!);
      for (let other = others[index]!; other >= 0; other--) mids.next(ladder.bidTicks + ladder.askTicks);
    }
  }
  return seen;
}

function bothCursors(tape: Tape): void {
  for (const order of ['exchange', 'receive'] as const) {
    const cursor = tape.cursor(order);
    while (cursor.nextUs !== Infinity) cursor.next();
  }
}

function bookAndMatching(tape: Tape): void {
  const instruments = new Instruments(tape.instruments.map(({ spec }) => spec));
  const clock = new VirtualClock(tape.fromUs);
  const sync = (symbol: string) => ({
    rule: tape.rules.get(symbol) ?? 'none',
    start: tape.withSnapshot.has(symbol) ? ('snapshot' as const) : ('updates' as const),
  });
  const market = new MarketData({
    instruments,
    clock,
    sequenceRule: (symbol) => sync(symbol).rule,
    bookStart: (symbol) => sync(symbol).start,
  });
  const options = simulationOptions.parse({});
  const venue = new SimulatedVenue({ clock, instruments, options, random: seededRandom(1), sync });
  venue.listen(() => {});
  venue.start();
  const isReplayed = replayTape(
    tape,
    clock,
    { happened: (event) => venue.onMarket(event), barOpens: null },
    market.onEvent,
  );
  while (!isReplayed()) clock.step();
  market.close();
}

async function wholeBacktest({ path, repeat }: BenchData, file: string, params: Params = {}): Promise<number> {
  const strategies = await prepareStrategies({ file, params, entries: [] });
  const { config } = loadConfig({ file: null, environment: {} });
  const run = await backtest({ config, strategies, data: [path], seed: 1, repeat, logger: silentLogger });
  return run.result.eventsPerSecond;
}

function freshProcess({ path, repeat }: BenchData): number {
  const args = [MAIN, 'backtest', SPREAD_MAKER, '--data', path, '--repeat', String(repeat), '--json'];
  const out = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const summary: { readonly eventsPerSecond: number } = JSON.parse(out);
  return summary.eventsPerSecond;
}

/** Bars of a minute: a strategy that asks for nothing, one that holds a position by two averages (an order in 27 bars). */
async function candlesBench(folder: string): Promise<void> {
  const candles = await candleData(folder);
  if (candles === null) return;
  const params = { symbol: CANDLE_SYMBOL };
  const results = await race([
    { name: 'backtest of an idle strategy', run: () => wholeBacktest(candles, IDLE) },
    { name: 'backtest of ema-cross', run: () => wholeBacktest(candles, EMA_CROSS, params) },
    {
      name: 'ema-cross of slow averages (1,500 and 6,000 bars)',
      run: () => wholeBacktest(candles, EMA_CROSS, { ...params, fast: '1500', slow: '6000' }),
    },
  ]);
  print(`Replay of ${candles.name}, ${candles.repeat} times`, 'candles/s', results);
}

export async function replayBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  try {
    const data = await benchData(folder);
    if (data === null) return;
    const tape = await openTape([data.path], { repeat: data.repeat });
    const once = await openTape([data.path]);
    const columns = columnsOf(once);
    const { total } = tape.counts;
    const [shared] = (await shareTapes([data.path], Infinity)) ?? [];
    if (shared === undefined) throw new Error('no tape of the bench data');
    const rate = async (run: () => unknown): Promise<number> => total / (await seconds(() => void run()));
    const results = await race([
      { name: 'floor: scan of the columns', run: () => rate(() => scan(shared, data.repeat)) },
      { name: 'floor: bare loop, columns → ladder → Subject', run: () => rate(() => bareLoop(columns, data.repeat)) },
      { name: 'floor: both cursors of the tape', run: () => rate(() => bothCursors(tape)) },
      { name: 'tape → book and matching, no strategy', run: () => rate(() => bookAndMatching(tape)) },
      { name: 'backtest of an idle strategy', run: () => wholeBacktest(data, IDLE) },
      { name: 'backtest of imbalance', run: () => wholeBacktest(data, IMBALANCE) },
      { name: 'backtest of spread-maker', run: () => wholeBacktest(data, SPREAD_MAKER) },
      ...(['view', 'sampled', 'throttled'] as const).map((form) => ({
        name: `backtest of a maker every 250 ms, ${form}`,
        run: () => wholeBacktest(data, MAKER_BY_CLOCK, { form }),
      })),
      { name: `spread-maker from the command line, --repeat ${data.repeat}`, run: () => freshProcess(data) },
      { name: 'the same from the command line, once through', run: () => freshProcess({ ...data, repeat: 1 }) },
    ]);
    print(`Replay of ${data.name}, ${total.toLocaleString('en')} events`, 'events/s', results);
    tape.close();
    once.close();
    await candlesBench(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
