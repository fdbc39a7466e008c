/**
 * A fee in base makes a purchase smaller than what was bought. The sell of all of it was denied again and again for less than a
 * lot, each denial in words of its own, and what no order can close was held for ever without a word.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, freshFolder, root, run } from '../e2e/cli.ts';

const sample = join(root, 'data', 'sample');
const symbol = 'BTCUSDT';

const strategy = `
import { defineStrategy, note, place, quote, target, z } from 'tidewire';
import { map, merge, timer } from 'rxjs';

const symbol = '${symbol}';
console.log('stdout is of the one document');
export default defineStrategy({
  name: 'seller-of-all',
  params: z.object({ places: z.boolean().default(false) }),
  symbols: () => [symbol],
  setup({ account, market, params }) {
    const instrument = market.instrument(symbol);
    const far = (mid) => instrument.roundPrice(mid * 1.01, 'up');
    let mid = 0;
    const watch = market.top(symbol).pipe(map((top) => { mid = top.mid; return []; }));
    const at = (ms, act) => timer(ms).pipe(map(act));
    const sell = () =>
      params.places
        ? place({ symbol, side: 'sell', type: 'limit', price: far(mid), quantity: '0.001' })
        : quote(symbol, { bids: [], asks: [{ price: far(mid), quantity: '0.001' }] }, { tolerance: { priceTicks: 1e6 } });
    const seen = () => {
      const { quantity, size, isFlat } = account.position(symbol);
      return note('seen', { quantity, size, isFlat });
    };
    return merge(
      watch,
      at(1000, () => [seen(), place({ symbol, side: 'buy', type: 'market', quantity: '0.001' })]),
      at(3000, seen),
      ...[4000, 5000, 6000, 7000, 8000].map((ms) => at(ms, sell)),
      at(9000, () => quote(symbol, { bids: [], asks: [] })),
      ...[10000, 12000, 14000].map((ms) => at(ms, () => target(symbol, { quantity: '0' }))),
      at(16000, seen),
    );
  },
});
`;

interface Note {
  readonly text: string;
  readonly data?: unknown;
}

interface Told {
  readonly summary: { readonly orders: Readonly<Record<string, number>>; readonly warnings: readonly string[] };
  readonly result: {
    readonly notes: readonly Note[];
    readonly denials: readonly { readonly reason: string; readonly count: number; readonly last: string }[];
    readonly orders: readonly { readonly side: string; readonly quantity: string; readonly state: string }[];
  };
}

async function backtest(more: readonly string[] = []): Promise<Told> {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'seller.ts'), strategy);
  writeFileSync(join(cwd, 'my.yaml'), 'account: { start: { USDT: "10000" } }\n');
  const options = ['--data', sample, '--config', 'my.yaml', '--json', '--result', 'result.json'];
  const ended = await run(['backtest', 'seller.ts', ...options, ...more], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain('stdout is of the one document');
  return {
    summary: documentOf<Told['summary']>(ended),
    result: JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as Told['result'],
  };
}

describe('a sell of all after a fee in base', () => {
  let told: Told;
  beforeAll(async () => {
    told = await backtest();
  });

  it('goes out one lot smaller as a quote, once, and is counted', () => {
    const sells = told.result.orders.filter(({ side }) => side === 'sell');
    expect(sells.map(({ quantity }) => quantity)).toEqual(['0.00099', '0.00099']);
    expect(told.summary.orders['shrunk']).toBe(1);
    expect(told.summary.orders['denied']).toBe(0);
  });

  it('leaves a position that is flat, and says once what stays', () => {
    const seen = told.result.notes.filter(({ text }) => text === 'seen').map(({ data }) => data);
    expect(seen).toMatchObject([
      { quantity: '0', size: 0, isFlat: true },
      { quantity: '0.0009995', size: 0.0009995, isFlat: false },
      { quantity: '0.0000095', size: 0.0000095, isFlat: true },
    ]);
    const said = told.result.notes.filter(({ text }) => text.includes('stays'));
    expect(said.map(({ text }) => text)).toEqual(['0.0000095 BTC is below one lot and stays']);
  });

  it('is denied as a single order, by reason with the last one in words', async () => {
    const { summary, result } = await backtest(['--param', 'places=true']);
    expect(summary.orders['denied']).toBe(5);
    expect(result.denials).toEqual([
      { reason: 'insufficient_balance', count: 5, last: 'BTCUSDT: the sell needs 0.001 BTC, free are 0.0009995' },
    ]);
    const denied = summary.warnings.filter((warning) => warning.startsWith('denied'));
    expect(denied).toEqual([
      'denied 5 x insufficient_balance, the last one: BTCUSDT: the sell needs 0.001 BTC, free are 0.0009995',
    ]);
  });
});
