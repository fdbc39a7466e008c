/** `market.view`: what a strategy on a timer reads is what it has received by then, and reading it watches nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Instruments } from '../../src/model/market/instrument.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { tapeSync } from '../../src/session/replay/tape-sync.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { MarketData } from '../../src/streams/market-data.ts';
import { freshDir } from '../recording/fixtures.ts';
import { symbolOf, writeTogether } from '../recording/many-symbols.ts';

const SYMBOL = symbolOf(0);

const STRATEGY = `
import { defineStrategy, note, z } from 'tidewire';
import { map } from 'rxjs';

export default defineStrategy({
  name: 'viewer',
  params: z.object({ symbol: z.string().default('${SYMBOL}'), watches: z.boolean().default(false) }),
  setup({ clock, market, params }) {
    if (params.watches) market.gaps(params.symbol).subscribe();
    const view = market.view(params.symbol);
    return clock.every('7ms').pipe(
      map(() => {
        const { ts, bid, ask, mid, last, mark } = view;
        return note('look', { now: clock.now(), ts, bid, ask, mid, last, mark, bids: view.bids(3), asks: view.asks(3) });
      }),
    );
  },
});
`;

interface Look {
  readonly now: number;
  readonly ts: number | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly mid: number | null;
  readonly last: number | null;
  readonly mark: number | null;
  readonly bids: readonly unknown[];
  readonly asks: readonly unknown[];
}

async function looksOf(data: string, watches: boolean): Promise<readonly Look[]> {
  const file = join(freshDir(), 'viewer.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: { watches: String(watches) }, entries: [] });
  const looks: Look[] = [];
  const { failures } = await backtest({
    config: configSchema.parse({}),
    strategies,
    data: [data],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
    onActions: (_ts, _tag, actions) => {
      for (const action of actions) {
        if (action.kind === 'note') looks.push(JSON.parse(JSON.stringify(action.data)) as Look);
      }
    },
  });
  expect([...failures.values()]).toEqual([]);
  return looks;
}

/** What stands at each look when events are applied in that order of time. */
async function expected(data: string, times: readonly number[], order: 'receive' | 'exchange'): Promise<unknown[]> {
  const tape = await openTape([data]);
  const instruments = new Instruments(tape.instruments.map(({ spec }) => spec));
  const sync = tapeSync(tape);
  const market = new MarketData({
    instruments,
    clock: new VirtualClock(tape.fromUs),
    sequenceRule: (symbol) => sync(symbol).rule,
    bookStart: (symbol) => sync(symbol).start,
  });
  const cursor = tape.cursor(order);
  const grid = market.instrument(SYMBOL);
  let last: number | null = null;
  const looks = times.map((now) => {
    while (cursor.nextUs <= now * 1000) {
      const event = cursor.next();
      if (event.kind === 'trade') last = event.instrument.priceOf(event.ticks);
      market.onEvent(event);
    }
    const book = market.best(SYMBOL);
    const bid = book === undefined ? null : grid.priceOf(book.bidTicks);
    const ask = book === undefined ? null : grid.priceOf(book.askTicks);
    return { now, bid, ask, last };
  });
  tape.close();
  return looks;
}

describe('market/view', () => {
  let data = '';
  beforeAll(async () => {
    // Received two milliseconds after they happen, one every three: the two orders differ at most looks.
    data = await writeTogether(join(freshDir(), 'data'), { symbols: 1, framesPerSymbol: 600, everyMs: 3, seed: 5 });
  });

  it('shows what was received by then, never what has only happened', async () => {
    const looks = await looksOf(data, false);
    expect(looks.length).toBeGreaterThan(200);
    const times = looks.map(({ now }) => now);
    const seen = looks.map(({ now, bid, ask, last }) => ({ now, bid, ask, last }));
    expect(seen).toEqual(await expected(data, times, 'receive'));
    expect(seen).not.toEqual(await expected(data, times, 'exchange'));
    for (const { now, ts } of looks) if (ts !== null) expect(now - ts).toBeGreaterThanOrEqual(2);
  });

  it('is the same with events held back between looks as with all of them delivered', async () => {
    expect(await looksOf(data, false)).toEqual(await looksOf(data, true));
  });

  it('agrees with itself: the best of each list, and the mid between', async () => {
    for (const look of (await looksOf(data, false)).slice(-100)) {
      expect([look.bids[0], look.asks[0]]).toMatchObject([{ price: look.bid }, { price: look.ask }]);
      expect(look.bids).toHaveLength(3);
      expect(look.mid).toBeCloseTo((look.bid! + look.ask!) / 2, 9);
      expect(look.mark).toBeNull();
    }
  });
});
