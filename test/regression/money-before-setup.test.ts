/**
 * `account.balance` was 0 in the `setup` of every backtest, although a paper session tells the real one there: strategies
 * began before the venue had told of its money.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/model/ports.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { freshDir, publicRow, recordingOf } from '../recording/fixtures.ts';

const T0 = 1_700_000_000_000;

const STRATEGY = `
import { defineStrategy, note, z } from 'tidewire';
import { map, merge, of, take } from 'rxjs';
export default defineStrategy({
  name: 'counts-its-money',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ market, account, clock }) {
    const money = () => ({ now: clock.now(), USDT: account.balance('USDT').available, BTC: account.balance('BTC').available });
    return merge(
      of(note('setup', money())),
      market.trades('BTCUSDT').pipe(map(({ price }) => note('trade', { now: clock.now(), price }))),
      market.top('BTCUSDT').pipe(take(1), map(({ mid }) => note('top', { now: clock.now(), mid }))),
    );
  },
});
`;

function trade(id: number, ms: number): FrameRow {
  const data = [{ tradeId: String(id), price: `${100 + id}`, quantity: '1', side: 'buy', ts: T0 + ms }];
  return publicRow((T0 + ms) * 1000, { channel: 'BTCUSDT@trades', seq: id, ts: T0 + ms, data });
}

function snapshot(ms: number): FrameRow {
  const data = { type: 'snapshot', bids: [['99', '5']], asks: [['101', '5']] };
  return publicRow((T0 + ms) * 1000, { channel: 'BTCUSDT@depth', seq: 1, ts: T0 + ms, data });
}

async function notes(rows: readonly FrameRow[], config: object = {}, entries: number = 1) {
  const { dir } = await recordingOf(rows);
  const file = join(freshDir(), 'counts.ts');
  writeFileSync(file, STRATEGY);
  const one = await prepareStrategies({ file, params: {}, entries: [] });
  const strategies = Array.from({ length: entries }, (_, index) => ({ ...one[0]!, tag: `s${index}` }));
  const { result } = await backtest({
    config: configSchema.parse(config),
    strategies,
    data: [dir],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  return result.notes.map(({ text, data }) => `${text} ${JSON.stringify(data).replaceAll('"', '')}`);
}

it('tells every strategy in setup what the account was configured to begin with', async () => {
  const config = { account: { start: { USDT: '5000', BTC: '2' } } };
  const setup = `setup {now:${T0},USDT:5000,BTC:2}`;
  const seen = await notes([snapshot(0), trade(1, 10)], config, 2);
  expect(seen.filter((text) => text.startsWith('setup'))).toEqual([setup, setup]);
});

it('tells what the market grants at the first instant of the data, and nothing of that instant is missed', async () => {
  expect(await notes([snapshot(0), trade(1, 0), trade(2, 0), trade(3, 10)])).toEqual([
    `setup {now:${T0},USDT:100000,BTC:1000}`,
    `top {now:${T0},mid:100}`,
    `trade {now:${T0},price:101}`,
    `trade {now:${T0},price:102}`,
    `trade {now:${T0 + 10},price:103}`,
  ]);
});
