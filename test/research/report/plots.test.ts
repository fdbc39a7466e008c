/** What a strategy plots and notes is in the result file and in the report, bounded, and the same each time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, root, run, start } from '../../e2e/cli.ts';
import { entriesOf, sessions } from '../../e2e/session-view.ts';
import { findChromium, isBrowserAsked, launch, open, settled } from './browser.ts';

interface Plotted {
  readonly name: string;
  readonly pane: string;
  readonly symbol?: string;
  readonly points: readonly (readonly [ts: number, value: number])[];
}

interface Drawn {
  readonly chart: { readonly series: readonly Plotted[] };
  readonly notes: readonly { readonly ts: number; readonly text: string }[];
  readonly warnings: readonly string[];
  readonly equity: readonly (readonly [number, number])[];
}

const DRAWN = `import { defineCandleStrategy, note, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'drawn',
  params: z.object({ symbol: z.string().default('BTCUSDT'), names: z.number().int().default(2) }),
  interval: '1m',
  setup: ({ indicators, chart }) => {
    chart.plot('average', 1);
    return { average: indicators.sma(20), seen: { count: 0 } };
  },
  onCandle(candle, { params, vars, chart }) {
    const average = vars.average.next(candle.close);
    chart.plot('average', average ?? Number.NaN);
    chart.plot('range', candle.high - candle.low, { pane: 'range' });
    for (let index = 3; index <= params.names; index++) chart.plot('line ' + index, candle.close + index);
    vars.seen.count += 1;
    return vars.seen.count === 60 ? note('an hour <b>is over</b>') : undefined;
  },
});
`;

async function backtest(cwd: string, as: string, ...more: readonly string[]): Promise<Drawn> {
  writeFileSync(join(cwd, 'drawn.ts'), DRAWN);
  const data = ['--data', join(root, 'data', 'sample-bars'), '--to', '2026-09-01T04:00:00Z'];
  const out = ['--result', `${as}.json`, '--report', `${as}.html`];
  const ended = await run(['backtest', 'drawn.ts', ...data, ...out, ...more], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  return JSON.parse(readFileSync(join(cwd, `${as}.json`), 'utf8')) as Drawn;
}

function shown({ chart, notes }: Drawn): string {
  return JSON.stringify({ chart, notes });
}

it('write what a strategy plots and notes into the result, the same each time, and nothing of its setup', async () => {
  const cwd = freshFolder();
  const first = await backtest(cwd, 'first');
  const [range, average] = first.chart.series;
  expect(range).toMatchObject({ name: 'range', pane: 'range', symbol: 'BTCUSDT' });
  expect(average).toMatchObject({ name: 'average', pane: 'price', symbol: 'BTCUSDT' });
  expect(first.chart.series).toHaveLength(2);
  // Of 20 candles the average needs all; where it was no number yet there is no point.
  expect(range?.points.length).toBeGreaterThan(200);
  expect(average?.points.length).toBe((range?.points.length ?? 0) - 19);
  expect(average?.points.every(([, value]) => value > 10_000)).toBe(true);
  expect(first.notes.map(({ text }) => text)).toEqual(['an hour <b>is over</b>']);
  expect(shown(await backtest(cwd, 'second'))).toBe(shown(first));
});

it('keep 20 names, with one warning for the rest', async () => {
  const { chart, warnings } = await backtest(freshFolder(), 'many', '--param', 'names=23');
  expect(chart.series).toHaveLength(20);
  expect(warnings.filter((text) => text.includes('plots more than 20 names'))).toHaveLength(1);
});

it('draw them over the prices and in a pane of their own, with the text of a note under the pointer', async (context) => {
  const path = findChromium();
  if (path === undefined && !isBrowserAsked) context.skip('no Chromium here: set TIDEWIRE_CHROMIUM');
  const cwd = freshFolder();
  const { notes, equity } = await backtest(cwd, 'page');
  const browser = await launch(path ?? '');
  try {
    const { page, complaints } = await open(browser, join(cwd, 'page.html'), 1200, 'light');
    const legend = await page.locator('#price ~ .legend').textContent();
    for (const text of ['average', 'range', 'note of the strategy']) expect(legend).toContain(text);
    const price = page.locator('#price');
    await price.scrollIntoViewIfNeeded();
    const box = await price.boundingBox();
    // The bars fill the chart but for the axis at the right: where the note is, to some pixels, and then along it.
    const [from, to] = [equity[0]?.[0] ?? 0, equity.at(-1)?.[0] ?? 0];
    const wide = (box?.width ?? 0) - 70;
    const near = ((notes[0]?.ts ?? 0) - from) / (to - from);
    const texts: string[] = [];
    for (let x = wide * near - 40; x < wide * near + 40; x += 4) {
      await price.hover({ position: { x, y: 120 } });
      await settled(page);
      texts.push((await price.locator('.readout').textContent()) ?? '');
    }
    const there = texts.find((text) => text.includes('“an hour <b>is over</b>”'));
    expect(there, texts.join('\n')).toMatch(/range \d+.* average \d+/);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});

it('write what a strategy plots on paper into the result of its session', async () => {
  const cwd = freshFolder();
  writeFileSync(
    join(cwd, 'mids.ts'),
    `import { defineStrategy, note } from 'tidewire';
import { filter, map } from 'rxjs';
export default defineStrategy({
  name: 'mids',
  symbols: () => ['BTCUSDT'],
  setup: ({ market, chart }) => {
    let count = 0;
    return market.top('BTCUSDT').pipe(
      map(({ mid }) => (chart.plot('mid', mid), ++count)),
      filter((seen) => seen === 5),
      map(() => note('five seen')),
    );
  },
});
`,
  );
  const paper = start(['paper', 'mids.ts', '--json'], { cwd });
  await paper.during('the note', async () => {
    const [session] = await sessions(cwd);
    return session !== undefined && entriesOf(session.path, 'note').length > 0 ? true : undefined;
  });
  const { files } = documentOf<{ readonly files: { readonly result: string } }>(await paper.signal('SIGINT'));
  const { chart, notes } = JSON.parse(readFileSync(files.result, 'utf8')) as Drawn;
  expect(chart.series).toMatchObject([{ name: 'mid', pane: 'price' }]);
  expect(chart.series[0]?.points.every(([, value]) => value > 0)).toBe(true);
  expect(chart.series[0]?.points.length).toBeGreaterThan(0);
  expect(notes.map(({ text }) => text)).toEqual(['five seen']);
});
