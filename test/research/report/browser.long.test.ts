/** The report in a real browser, from disk: it draws, in both schemes and on a phone, asks for nothing, and believes no name. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderComparison } from '../../../src/research/report/compare/render.ts';
import { renderReport } from '../../../src/research/report/render.ts';
import type { ResultDocument } from '../../../src/session/result/result.ts';
import { findChromium, isBrowserAsked, launch, open, settled } from './browser.ts';
import { largeResult } from './large-result.ts';
import { sampleResult, T0 } from './sample-result.ts';

const EVIL = `"><img src=x onerror=document.title='gotcha'><script>document.title='gotcha'</script>`;
const path = findChromium();
const reason = 'no Chromium here: set TIDEWIRE_CHROMIUM, or install the package chromium';

test('a browser is there where it is asked for', (context) => {
  if (path === undefined && !isBrowserAsked) context.skip(reason);
  expect(path, reason).toBeDefined();
});

/** A run of most of a day with every part of the report in it. */
function wholeResult(): ResultDocument {
  const base = sampleResult({ seconds: 60_000, fillEvery: 200 });
  const orders = base.fills.map((fill, index) => ({
    ref: fill.orderRef,
    tag: fill.tag,
    symbol: fill.symbol,
    side: fill.side,
    type: 'limit',
    timeInForce: 'GTC',
    price: fill.price,
    quantity: fill.quantity,
    filledQuantity: fill.quantity,
    averagePrice: fill.price,
    state: 'filled',
    createdTs: fill.ts - 90_000,
    updatedTs: fill.ts,
    parent: null,
    leg: null,
    ...(index === 0 ? { reason: EVIL } : {}),
  }));
  const fills = base.fills.map((fill) => ({
    ...fill,
    midAfter: [fill.mid! + 3, fill.mid! - 4, fill.mid! + 9] as const,
  }));
  return { ...base, strategy: EVIL, orders, fills, notes: [{ ts: T0, text: EVIL }] };
}

const whole = wholeResult();

/** For each box that is drawn into: how many of its pixels, or shapes, are there. Runs in the page. */
const PAINTED = `(() => {
  const counts = {};
  for (const box of document.querySelectorAll('.plot')) {
    counts[box.id] = 0;
    for (const canvas of box.querySelectorAll('canvas')) {
      if (canvas.width === 0 || canvas.height === 0) continue;
      const copy = new OffscreenCanvas(240, 120).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0, 240, 120);
      const { data } = copy.getImageData(0, 0, 240, 120);
      for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] > 0) counts[box.id]++;
    }
  }
  for (const drawing of document.querySelectorAll('svg.drawing')) {
    const boxes = [...drawing.querySelectorAll('rect, path.dots')].map((shape) => shape.getBBox());
    counts[drawing.getAttribute('aria-label')] = boxes.filter(({ width, height }) => width + height > 0).length;
  }
  return counts;
})()`;

async function expectPainted(page: Page, names: readonly string[]): Promise<void> {
  const counts = await page.evaluate<Record<string, number>>(PAINTED);
  expect(Object.keys(counts).toSorted()).toEqual(names.toSorted());
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0);
}

const CHARTS = ['drawdown', 'equity', 'pnl', 'price'];
const DRAWINGS = ['Excursions of trades', 'Markout 1 s', 'Markout 30 s', 'Markout 5 s', 'P&L of trades', 'Slippage'];
/** How far the page is wider than the window, px. */
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

describe.runIf(path !== undefined)('a report in Chromium', () => {
  let browser: Browser;
  let folder: string;
  const saved = process.env['TIDEWIRE_SCREENSHOTS'];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidewire-report-'));
    if (saved !== undefined) mkdirSync(saved, { recursive: true });
    browser = await launch(path!);
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, page: string): string => {
    const file = join(folder, name);
    writeFileSync(file, page);
    return file;
  };

  const picture = async (page: Page, name: string): Promise<Buffer> =>
    page.screenshot({ fullPage: true, ...(saved === undefined ? {} : { path: join(saved, `${name}.png`) }) });

  test.each([
    ['light', 'rgb(246, 246, 244)'],
    ['dark', 'rgb(15, 18, 20)'],
  ] as const)(
    'draws every chart in the %s scheme, wide and on a phone, and asks for nothing',
    async (scheme, colour) => {
      const file = write('whole.html', renderReport(whole));
      const { page, complaints, requests } = await open(browser, file, 1280, scheme);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        await expectPainted(page, [...CHARTS, ...DRAWINGS]);
        expect(await page.evaluate<number>(OVERFLOW)).toBeLessThanOrEqual(0);
        expect((await picture(page, `report-${width}-${scheme}`)).length).toBeGreaterThan(50_000);
      }
      expect(await page.textContent('h1')).toBe(EVIL);
      expect(await page.title()).not.toBe('gotcha');
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe(colour);
      expect(complaints).toEqual([]);
      expect(requests).toEqual([]);
      await page.close();
    },
  );

  test('zooms in where the pointer drags, tells what is under it, and zooms out again', async () => {
    const { page, complaints } = await open(browser, write('zoom.html', renderReport(whole)), 1280, 'light');
    const shown = async (id: string): Promise<string> => {
      await settled(page);
      return page.evaluate<string>(
        `[...document.querySelectorAll('#${id} canvas')].map((each) => each.toDataURL()).join()`,
      );
    };
    const before = { equity: await shown('equity'), drawdown: await shown('drawdown'), price: await shown('price') };
    const box = (await page.locator('#equity .u-over').boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + 320, box.y + 80, { steps: 3 });
    await page.mouse.up();
    expect(await shown('equity')).not.toBe(before.equity);
    expect(await shown('drawdown')).not.toBe(before.drawdown);
    expect(await shown('price')).not.toBe(before.price);
    expect(await page.textContent('#equity .readout')).toMatch(/^2024-08-\d\d \d\d:\d\d:\d\d.* USDT/);
    await page.mouse.dblclick(box.x + 250, box.y + 80);
    await page.mouse.move(0, 0);
    expect(await shown('equity')).toBe(before.equity);
    expect(complaints).toEqual([]);
    await page.close();
  });

  /** How many pixels of the price chart have (nearly) a colour of the style sheet. */
  const pixelsOf = (page: Page, colour: string): Promise<number> =>
    page.evaluate<number>(`(() => {
      const probe = new OffscreenCanvas(1, 1).getContext('2d');
      probe.fillStyle = tidewireReport.css('${colour}');
      probe.fillRect(0, 0, 1, 1);
      const wanted = probe.getImageData(0, 0, 1, 1).data;
      let count = 0;
      for (const canvas of document.querySelectorAll('#price canvas')) {
        if (canvas.width < 400) continue;
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] > 250 && [0, 1, 2].every((i) => Math.abs(data[at + i] - wanted[i]) < 6)) count++;
      }
      return count;
    })()`);

  test('many fills leave the prices to be seen, hollow where they are simulated, and single ones on zooming in', async () => {
    const base = sampleResult({ seconds: 60_000, fillEvery: 40 });
    const show = async (name: string, result: ResultDocument): Promise<Page> =>
      (await open(browser, write(`${name}.html`, renderReport(result)), 1280, 'light')).page;
    const bare = await show('bare', { ...base, fills: [], positions: [] });
    const simulated = await show('simulated', base);
    const real = await show('real', { ...base, command: 'run' });
    expect(await pixelsOf(simulated, '--price')).toBeGreaterThan(0.7 * (await pixelsOf(bare, '--price')));
    expect(await pixelsOf(real, '--sell')).toBeGreaterThan(1.5 * (await pixelsOf(simulated, '--sell')));
    const legend = async (page: Page): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.legend .sell.mark'), '::before').content`);
    expect([await legend(simulated), await legend(real)]).toEqual(['"▽"', '"▼"']);
    const told = async (): Promise<string[]> => {
      await simulated.locator('#price').scrollIntoViewIfNeeded();
      const box = (await simulated.locator('#price').boundingBox())!;
      const texts = new Set<string>();
      for (let y = 20; y < 300; y += 8) {
        await simulated.mouse.move(box.x + 490, box.y + y);
        texts.add((await simulated.textContent('#price .readout')) ?? '');
      }
      return [...texts].filter((text) => /bought|sold/.test(text));
    };
    await settled(simulated);
    expect((await told()).join('\n')).toMatch(/sold \S+ at \S+ in \d+ fills/);
    await simulated.locator('#equity').scrollIntoViewIfNeeded();
    const box = (await simulated.locator('#equity .u-over').boundingBox())!;
    await simulated.mouse.move(box.x + 300, box.y + 80);
    await simulated.mouse.down();
    await simulated.mouse.move(box.x + 320, box.y + 80, { steps: 3 });
    await simulated.mouse.up();
    await settled(simulated);
    expect((await told()).join('\n')).not.toMatch(/in \d+ fills/);
    for (const page of [bare, simulated, real]) await page.close();
  });

  test('a month of hours fits a window of 1280 px, and bars have labels in regular distances, each under its bar', async () => {
    const hours = 30 * 24;
    const period = { from: T0 - (T0 % 86_400_000), to: T0 - (T0 % 86_400_000) + hours * 3_600_000 };
    const equity = Array.from({ length: hours + 1 }, (_, hour): [number, number] => [
      period.from + hour * 3_600_000,
      100_000 - hour * 1.7,
    ]);
    const month: ResultDocument = { ...sampleResult(), period, equity };
    const { page } = await open(browser, write('month.html', renderReport(month)), 1280, 'light');
    expect(await page.locator('.heat tbody tr').count()).toBe(30);
    expect(
      await page.evaluate<number>(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
      document.querySelector('.heat').parentElement)`),
    ).toBe(0);
    const minute = 60_000;
    const starts = [0, 1, 2, 3, 4, 6, 7, 8].map((at) => T0 + at * minute);
    const labels = await page.evaluate<number[]>(`tidewireReport
      .barLabels(${JSON.stringify(starts)}, ${minute})
      .splits({ over: { clientWidth: 400 } }, 0, ${T0 - minute}, ${T0 + 9 * minute})`);
    expect(labels.map((label) => (label - T0) / minute)).toEqual([0, 2, 4, 6, 8]);
    await page.close();
  });

  test('a million points and a hundred thousand fills draw, and the file stays small', async () => {
    const html = renderReport(largeResult());
    expect(html.length).toBeLessThan(3_500_000);
    const { page, complaints, requests } = await open(browser, write('large.html', html), 1280, 'light');
    await expectPainted(page, [...CHARTS, 'P&L of trades', 'Slippage']);
    const box = (await page.locator('#equity .u-over').boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 60);
    await settled(page);
    expect(await page.textContent('#equity .readout')).toMatch(/USDT/);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    await page.close();
  });

  test('draws a comparison, wide and on a phone', async () => {
    const results = [
      { name: 'a.json', result: { ...whole, command: 'run' as const } },
      { name: EVIL, result: { ...whole, seed: 2 } },
      { name: 'c.json', result: sampleResult({ seconds: 50_000, fillEvery: 900 }) },
    ];
    const file = write('compared.html', renderComparison(results));
    const { page, complaints, requests } = await open(browser, file, 1280, 'light');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await expectPainted(page, ['drawdown', 'equity', 'gap', 'price']);
      expect(await page.evaluate<number>(OVERFLOW)).toBeLessThanOrEqual(0);
      await picture(page, `comparison-${width}`);
    }
    expect(await page.locator('img').count()).toBe(0);
    expect([...complaints, ...requests]).toEqual([]);
    await page.close();
  });
});
