/** Events that wait on the tape while nobody watches: what a strategy reads, does and earns is what it is with all of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/model/ports.ts';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import type { Tape, TapeCursor } from '../../../src/recording/tape/tape.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { replayOnDemand } from '../../../src/session/feed/replay-tape.ts';
import { tapeSync } from '../../../src/session/replay/tape-sync.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { MarketData } from '../../../src/streams/market-data.ts';
import { freshDir } from '../../recording/fixtures.ts';
import { symbolOf, writeTogether } from '../../recording/many-symbols.ts';

const [FIRST, SECOND] = [symbolOf(0), symbolOf(1)];

/** Trades by the clock alone. `watch`: never, from the start, or from two seconds on. */
const STRATEGY = `
import { defineStrategy, note, target, z } from 'tidewire';
import { interval, map, merge, NEVER, switchMap, take, timer } from 'rxjs';

export default defineStrategy({
  name: 'seldom',
  params: z.object({ watch: z.enum(['never', 'always', 'late']) }),
  symbols: () => ['${FIRST}', '${SECOND}'],
  setup({ market, params }) {
    if (params.watch === 'always') market.gaps('${SECOND}').subscribe();
    const seen = params.watch === 'never' ? NEVER : timer(2000).pipe(switchMap(() => market.top('${FIRST}')), take(20));
    return merge(
      interval(370).pipe(map((count) => target('${FIRST}', { quantity: count % 3 === 0 ? '0.5' : '0' }))),
      interval(910).pipe(map((count) => target('${SECOND}', { quantity: count % 2 === 0 ? '0.5' : '0' }))),
      seen.pipe(map((top) => note('top', { top }))),
    );
  },
});
`;

async function run(data: string, watch: 'never' | 'always' | 'late', period: { fromMs?: number; toMs?: number } = {}) {
  const file = join(freshDir(), 'seldom.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: { watch }, entries: [] });
  const actions: string[] = [];
  const { result, failures } = await backtest({
    config: configSchema.parse({}),
    strategies,
    data: [data],
    ...period,
    seed: 1,
    repeat: 2,
    logger: silentLogger,
    onActions: (ts, _tag, made) => void actions.push(`${ts} ${JSON.stringify(made)}`),
  });
  expect([...failures.values()]).toEqual([]);
  const { orders, fills, notes, equity, stats, warnings, positions } = result;
  return { actions, orders, fills, notes, equity, stats, warnings, positions };
}

function waiting(tape: Tape) {
  const instruments = new Instruments(tape.instruments.map(({ spec }) => spec));
  const clock = new VirtualClock(tape.fromUs);
  const sync = tapeSync(tape);
  const market = new MarketData({
    instruments,
    clock,
    sequenceRule: (symbol) => sync(symbol).rule,
    bookStart: (symbol) => sync(symbol).start,
  });
  let read = 0;
  const counting = (cursor: TapeCursor): TapeCursor => ({
    get nextUs() {
      return cursor.nextUs;
    },
    get nextSequence() {
      return cursor.nextSequence;
    },
    next: () => {
      read++;
      return cursor.next();
    },
  });
  const counted: Tape = {
    ...tape,
    cursor: (order) => (order === 'receive' ? counting(tape.cursor(order)) : tape.cursor(order)),
  };
  const replay = replayOnDemand(counted, clock, { happened: () => {}, barOpens: null }, market);
  return { clock, market, replay, read: () => read };
}

describe('a market that nobody watches', () => {
  let data = '';
  beforeAll(async () => {
    data = await writeTogether(join(freshDir(), 'data'), { symbols: 2, framesPerSymbol: 60, everyMs: 200, seed: 3 });
  });

  it('is the same to a strategy that trades by the clock', async () => {
    const never = await run(data, 'never');
    const always = await run(data, 'always');
    expect(never.fills.length).toBeGreaterThan(10);
    expect({ ...always, notes: [], actions: [] }).toEqual({ ...never, notes: [], actions: [] });
  });

  it('is caught up with when somebody subscribes', async () => {
    const [late, always] = [await run(data, 'late'), await run(data, 'always')];
    // Besides what a fee in base has left of each of two symbols.
    expect(late.notes.filter(({ text }) => !text.endsWith('stays'))).toHaveLength(20);
    expect(late).toEqual(always);
  });

  it('ends a period of the data at the same time', async () => {
    const tape = await openTape([data]);
    const [fromMs, toMs] = [tape.fromUs / 1000 + 3000, tape.toUs / 1000 - 3000];
    tape.close();
    const [never, late] = [await run(data, 'never', { fromMs, toMs }), await run(data, 'late', { fromMs, toMs })];
    expect(never.fills.length).toBeGreaterThan(3);
    expect({ ...late, notes: [], actions: [] }).toEqual({ ...never, notes: [], actions: [] });
  });

  it('reads no event before somebody asks, then those that are due, and goes to the end of the data', async () => {
    const tape = await openTape([data], { repeat: 2 });
    const eager = waiting(tape);
    while (!eager.replay.isReplayed()) eager.clock.step();
    const { clock, market, replay, read } = waiting(tape);
    replay.wait();
    const halfUs = (tape.fromUs + tape.toUs) / 2;
    while (clock.nowUs() < halfUs) clock.step();
    expect(read()).toBe(0);
    const mid = market.mid(FIRST);
    expect(mid).toBeGreaterThan(0);
    const due = read();
    expect(due).toBeGreaterThan(10);
    expect(market.mid(FIRST)).toBe(mid);
    expect(read()).toBe(due);
    while (!replay.isReplayed()) clock.step();
    expect(read()).toBe(due);
    expect(clock.nowUs()).toBe(eager.clock.nowUs());
    expect(market.mid(FIRST)).toBe(eager.market.mid(FIRST));
    expect(read()).toBe(eager.read());
    tape.close();
  });

  it.each([
    ['the best prices', (market: MarketData) => market.best(FIRST)],
    ['the mid', (market: MarketData) => market.mid(FIRST)],
    ['a view', (market: MarketData) => market.view(FIRST).mid],
    ['a stream', (market: MarketData) => market.top(FIRST)],
    ['the gaps', (market: MarketData) => market.gaps(FIRST)],
    ['a book given up', (market: MarketData) => market.discardBook(FIRST, 'test')],
  ])('hands over what is due before %s', async (_what, read) => {
    const tape = await openTape([data]);
    const waited = waiting(tape);
    waited.replay.wait();
    waited.clock.step();
    waited.clock.advanceTo(Math.round((tape.fromUs + tape.toUs) / 2));
    expect(waited.read()).toBe(0);
    read(waited.market);
    expect(waited.read()).toBeGreaterThan(10);
    tape.close();
  });
});
