/**
 * On bars everything filled at the close that it had been decided on, whole and whatever the volume: gaps between bars were
 * profit. What is decided at a close trades at the next open at the earliest, within the volume of its bar.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { limit, marketOrder, SYMBOL, told, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

type Prices = readonly [open: number, high: number, low: number, close: number];

function bar(minute: number, [open, high, low, close]: Prices, volume = 1000): Row {
  const openTime = T0 + minute * MINUTE;
  const prices = { open: `${open}`, high: `${high}`, low: `${low}`, close: `${close}` };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: `${volume}` };
}

const at = (ms: number, ...actions: object[]) => ({ at: T0 + ms, actions });
const FREE = 'simulation: { slippageBps: 0, fees: { maker: 0, taker: 0 } }';
const off = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^\d+/, (ts) => `${(Number(ts) - T0) / MINUTE}`));

/** Buys at the first candle, and once more when told of the fill. */
const ANSWERS = `
import { defineStrategy, note, place, z } from 'tidewire';
import { first, map, merge, take } from 'rxjs';
export default defineStrategy({
  name: 'answers',
  params: z.object({}),
  setup({ market, account, clock }) {
    const buy = (ref: string) => place({ symbol: '${SYMBOL}', side: 'buy', type: 'market', quantity: '1', ref });
    return merge(
      market.candles('${SYMBOL}', '1m').pipe(first(), map(() => buy('first'))),
      account.fills().pipe(take(1), map(() => buy('answer'))),
      account.fills().pipe(map(({ ref }) => note('fill', { ref, now: clock.now() }))),
      market.candles('${SYMBOL}', '1m').pipe(map(() => note('candle', { now: clock.now() }))),
    );
  },
});
`;

describe('on bars', () => {
  it('a limit order waits until the price is traded through, though the close was below it', async () => {
    const rows = [
      bar(0, [100, 100.3, 99.9, 100.2]),
      bar(1, [105, 106, 104, 105.5]),
      bar(2, [105.5, 106, 102.5, 103.5]),
      bar(3, [102, 103, 101, 102]),
    ];
    const steps = [
      at(MINUTE + 1, limit('buy', '103', '1', 'gap')),
      at(3 * MINUTE + 1, limit('buy', '103', '1', 'crossed')),
    ];
    const { fills } = await world.play(rows, steps, { config: FREE });
    expect(off(told(fills))).toEqual(['3 gap buy 1@103 maker', '3 crossed buy 1@102 taker']);
  });

  it('a market order takes its share of the volume of each bar until it is filled', async () => {
    const rows = [0, 1, 2, 3, 4, 5].map((minute) =>
      bar(minute, [100 + minute, 101 + minute, 99 + minute, 100 + minute], minute === 3 ? 0 : 100),
    );
    const { fills, warnings } = await world.play(rows, [at(MINUTE + 1, marketOrder('buy', '35', 'big'))], {
      config: FREE,
    });
    expect(off(told(fills))).toEqual([
      '1 big buy 10@101 taker',
      '2 big buy 10@102 taker',
      '4 big buy 10@104 taker',
      '5 big buy 5@105 taker',
    ]);
    expect(warnings).toContain('AAAUSDT, bars of 60 s: 1 of 6 have no volume: no order fills in them');
  });

  it('a market order is worse than the open by the slippage, and the run says what it assumes', async () => {
    const rows = [bar(0, [100, 101, 99, 100]), bar(1, [100.5, 101, 99, 100]), bar(2, [100, 101, 99, 100])];
    const steps = [at(MINUTE + 1, marketOrder('buy', '1', 'in')), at(2 * MINUTE + 1, marketOrder('sell', '1', 'out'))];
    const { fills, assumptions } = await world.play(rows, steps, { config: 'simulation: { slippageBps: 50 }' });
    expect(off(told(fills))).toEqual(['1 in buy 1@101.003 taker', '2 out sell 1@99.5 taker']);
    expect(assumptions).toMatchObject({
      participation: 0.1,
      slippageBps: 50,
      bars: expect.stringContaining('next open'),
    });
    expect((await world.play(rows, steps)).assumptions).toMatchObject({ slippageBps: 1 });
  });

  it('a fill at an open is told before the bar closes, an answer to it takes the next open, and no cut changes it', async () => {
    const rows = [bar(0, [100, 101, 99, 100]), bar(1, [107, 108, 106, 107]), bar(2, [90, 91, 89, 90])];
    world.write('answers.ts', ANSWERS);
    const { path } = await world.record(rows);
    const config = world.write('free.yaml', FREE);
    const run = async (...flags: string[]) =>
      (await world.run('answers.ts', [path], '--config', config, ...flags)).result;
    const whole = await run();
    expect(off(told(whole.fills))).toEqual(['1 first buy 1@107 taker', '2 answer buy 1@90 taker']);
    const notes = whole.notes.map(({ text, data }) => `${text} ${Number(data?.['now']) - T0}`);
    expect(notes).toEqual(['candle 60001', 'fill 60051', 'candle 120001', 'fill 121025', 'candle 180001']);
    const cut = await run('--to', new Date(T0 + 90_000).toISOString());
    expect(cut.notes).toEqual(whole.notes.slice(0, 2));
  });
});

describe('bars of a recording', () => {
  const WALK: readonly Prices[] = [
    [100, 101, 99, 100],
    [101, 103, 100, 102],
    [102, 104, 101, 103],
    [103, 104, 98, 99],
    [99, 101, 97, 100],
    [100, 102, 99, 101],
  ];
  const steps = [at(MINUTE + 1, marketOrder('buy', '1', 'in')), at(4 * MINUTE + 1, marketOrder('sell', '1', 'out'))];

  it('that are doubled or unordered are shown to neither side, and counted', async () => {
    const rows = WALK.map((prices, minute) => bar(minute, prices));
    const wrong: Prices = [110, 130, 90, 120];
    const spoilt = [...rows.slice(0, 2), bar(1, wrong), rows[2]!, bar(0, wrong), bar(-1, wrong), ...rows.slice(3)];
    const clean = await world.play(rows, steps, { watch: 'candles' });
    const result = await world.play(spoilt, steps, { watch: 'candles' });
    expect(clean.fills).toHaveLength(2);
    expect(result.fills).toEqual(clean.fills);
    expect(result.equity).toEqual(clean.equity);
    expect(result.notes).toEqual(clean.notes);
    expect(result.warnings).toContain(
      'AAAUSDT, bars of 60 s: 2 doubled and left out, the first of each is taken; 1 unordered and left out, they begin before one that stands above them',
    );
  });

  it('that another recording tells again with other prices are shown to neither side', async () => {
    const rows = WALK.map((prices, minute) => bar(minute, prices));
    const others = WALK.slice(1, 4).map((prices, at) => bar(at + 1, prices.map((price) => price - 20) as [...Prices]));
    const [first, second] = [await world.record(rows), await world.record(others)];
    const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--param', 'watch=candles'];
    const clean = await world.run('scripted.ts', [first.path], ...flags);
    const both = await world.run('scripted.ts', [first.path, second.path], ...flags);
    expect(both.result.fills).toEqual(clean.result.fills);
    expect(both.result.notes).toEqual(clean.result.notes);
    expect(both.result.warnings.join()).toMatch(/overlap: of bars of AAAUSDT the first in order counts/);
  });

  it('that are missing or overlap are counted', async () => {
    const late = { ...bar(9, WALK[0]!), openTime: T0 + 8.5 * MINUTE };
    const { warnings } = await world.play([bar(0, WALK[0]!), bar(1, WALK[1]!), bar(8, WALK[2]!), late], []);
    expect(warnings).toContain(
      `AAAUSDT, bars of 60 s: 6 missing, the first at ${new Date(T0 + 2 * MINUTE).toISOString()}; 1 overlapping, they begin before the one above them has closed`,
    );
  });

  it('give no lot by their volumes', async () => {
    const rows = WALK.map((prices, minute) => bar(minute, prices, 1000));
    const { fills, orders } = await world.play(rows, [at(MINUTE + 1, marketOrder('buy', '0.25', 'small'))]);
    expect(orders.map(({ state }) => state)).toEqual(['filled']);
    expect(fills.map(({ quantity }) => quantity)).toEqual(['0.25']);
  });
});
