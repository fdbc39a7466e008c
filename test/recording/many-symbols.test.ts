/** 150 symbols in one backtest, from one recording and from one each: the same events in the same order, and the same run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import { openTape } from '../../src/recording/tape/open-tape.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { eventsOf, freshDir } from './fixtures.ts';
import { symbolOf, writeApart, writeTogether } from './many-symbols.ts';

const SYMBOLS = 150;
const generated = { symbols: SYMBOLS, framesPerSymbol: 30, everyMs: 200, seed: 7 };

/** Quotes the first symbol and holds the best level of all. */
const STRATEGY = `
import { defineStrategy, note, target } from 'tidewire';
import { interval, map, merge, scan, take } from 'rxjs';

const symbols = Array.from({ length: ${SYMBOLS} }, (_, index) => 'C' + String(index).padStart(3, '0') + 'USDT');

export default defineStrategy({
  name: 'wide',
  symbols: () => symbols,
  setup({ market }) {
    const seen = new Map();
    merge(...symbols.map((symbol) => market.top(symbol))).subscribe(({ symbol, mid }) => seen.set(symbol, mid));
    return merge(
      interval(1000).pipe(map(() => note('seen', { symbols: seen.size, sum: [...seen.values()].reduce((sum, mid) => sum + mid, 0) }))),
      ...symbols.slice(0, 10).map((symbol) => interval(900).pipe(take(3), scan((held) => held + 0.5, 0), map((quantity) => target(symbol, { quantity })))),
    );
  },
});
`;

async function run(data: readonly string[]) {
  const file = join(freshDir(), 'wide.ts');
  writeFileSync(file, STRATEGY);
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const notes: string[] = [];
  const { result, failures } = await backtest({
    config: configSchema.parse({}),
    strategies,
    data,
    seed: 1,
    repeat: 1,
    logger: silentLogger,
    onActions: (ts, _tag, actions) => {
      for (const action of actions) notes.push(`${ts} ${JSON.stringify(action)}`);
    },
  });
  expect([...failures.values()]).toEqual([]);
  return { notes, result };
}

type Events = ReturnType<typeof eventsOf>;

function timesOf(events: Events, order: 'exchange' | 'receive'): readonly unknown[] {
  return events.map((event) => (order === 'exchange' ? event['exchangeUs'] : event['receiveUs']));
}

/** Messages of one instant come in the order of their recording, or of the recordings: that of each symbol is its own. */
function bySymbol(events: Events): Readonly<Record<string, string>> {
  const texts = Object.groupBy(events, (event) => String(event['symbol']));
  return Object.fromEntries(Object.entries(texts).map(([symbol, own]) => [symbol, JSON.stringify(own)]));
}

describe('a recording of 150 symbols', () => {
  it('is replayed alike from one folder and from 150', async () => {
    const together = await writeTogether(join(freshDir(), 'together'), generated);
    const apart = await writeApart(freshDir(), generated);
    expect(apart).toHaveLength(SYMBOLS);
    for (const order of ['exchange', 'receive'] as const) {
      const [one, many] = await Promise.all([openTape([together]), openTape(apart)]);
      const [own, others] = [eventsOf(one, order), eventsOf(many, order)];
      expect(timesOf(others, order)).toEqual(timesOf(own, order));
      expect(bySymbol(others)).toEqual(bySymbol(own));
      expect(many.counts).toEqual(one.counts);
      one.close();
      many.close();
    }
    const [one, many] = [await run([together]), await run(apart)];
    expect(one.result.fills.length).toBeGreaterThan(20);
    expect(one.notes.some((text) => text.includes(`"symbols":${SYMBOLS}`))).toBe(true);
    expect(one.notes.some((text) => text.includes(symbolOf(9)))).toBe(true);
    expect(many.notes).toEqual(one.notes);
    expect(many.result.fills).toEqual(one.result.fills);
  });
});
