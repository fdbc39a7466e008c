import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { renderComparison } from '../../../src/research/report/compare/render.ts';
import { money, signed } from '../../../src/research/report/format.ts';
import { toneOf } from '../../../src/research/report/metric-value.ts';
import { renderReport } from '../../../src/research/report/render.ts';
import type { Packed } from '../../../src/research/report/packed.ts';
import type { ResultDocument } from '../../../src/session/result/result.ts';
import { sampleResult, T0 } from './sample-result.ts';

const EVIL = `"><script>alert('x')</script><img src=x onerror=alert(1)>`;

/** The page without what is inlined: the markup that text of a user reaches. */
function markup(page: string): string {
  return page.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '');
}

interface PageData {
  readonly equity: { readonly ts: Packed; readonly value: Packed };
  readonly prices: readonly { readonly fills: unknown[]; readonly time: number[]; readonly orders: unknown[] }[];
}

function dataOf(page: string): PageData {
  const text = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(page)?.[1];
  return JSON.parse(text ?? '');
}

test('nothing is loaded: no address in a place that a browser fetches from', () => {
  const page = markup(renderReport(sampleResult()));
  expect(page).not.toMatch(/\b(src|srcset|action|data|poster)=/);
  expect(page).not.toMatch(/<(link|iframe|img|object|embed|base)\b/);
  expect([...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual(['https://www.tradingview.com/']);
});

test('the policy of the page allows exactly the scripts and the style that are in it', () => {
  const page = renderReport(sampleResult());
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const blocks = [...page.matchAll(/<(?:script|style)>([\s\S]*?)<\/(?:script|style)>/g)];
  const hashes = blocks.map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`,
  );
  expect(hashes).toHaveLength(9);
  expect([...policy.matchAll(/'sha256-[^']*'/g)].map(String).toSorted()).toEqual(hashes.toSorted());
});

test('text of users is text wherever it stands', () => {
  const result: ResultDocument = {
    ...sampleResult(),
    strategy: EVIL,
    runHash: EVIL,
    params: { [EVIL]: EVIL, nested: { list: [EVIL] } },
    assumptions: { [EVIL]: { deep: EVIL } },
    warnings: [EVIL],
    notes: [{ ts: T0, text: EVIL }],
    positions: [{ symbol: EVIL, quantity: '1', entryPrice: null }],
    currency: EVIL,
    chart: { prices: [{ kind: 'line', symbol: EVIL, points: [[T0, 1]] }] },
    fills: sampleResult().fills.map((fill) => ({ ...fill, symbol: EVIL, tag: EVIL, feeCurrency: EVIL })),
  };
  const page = renderReport(result);
  expect(markup(page)).not.toMatch(/<img|alert\('x'\)<|onerror=alert\(1\)>/);
  expect(page.match(/<script/g)).toHaveLength(renderReport(sampleResult()).match(/<script/g)?.length ?? 0);
  expect(dataOf(page).prices).toHaveLength(1);
});

test('a run without fills and without prices says so and still has its numbers', () => {
  const { chart: _, ...rest } = sampleResult({ fillEvery: 0 });
  const page = markup(renderReport(rest));
  expect(page.includes('No order was filled.')).toBe(true);
  expect(page.includes('No fills, so no costs.')).toBe(true);
  expect(page.includes('This result holds no prices.')).toBe(true);
  expect(page.includes('it did not trade')).toBe(true);
  expect(page).not.toMatch(/NaN|Infinity|>undefined|\[object/);
});

test('a result with a single equity point has an empty chart', () => {
  const page = markup(renderReport({ ...sampleResult({ fillEvery: 0 }), equity: [[T0, 100_000]] }));
  expect(page.includes('there is nothing to draw')).toBe(true);
});

test('numbers of a run stand in the page with their conventions', () => {
  const result = sampleResult();
  const page = markup(renderReport(result));
  expect(page.includes('spread-maker')).toBe(true);
  expect(page.includes('9f2c4be1a07d')).toBe(true);
  expect(page.includes('20 fills')).toBe(true);
  expect(page.includes('fees.maker')).toBe(true);
  expect(page.includes('prob(x^3)')).toBe(true);
  expect(page.includes('|p95| / |p5|')).toBe(true);
  expect(page.includes('nothing annualised')).toBe(true);
  expect(page).not.toMatch(/NaN|Infinity|\[object/);
});

test('a long run stays small, and its extremes stay', () => {
  const result = sampleResult({ seconds: 200_000, fillEvery: 20 });
  const page = renderReport(result);
  expect(page.length).toBeLessThan(2_500_000);
  const data = dataOf(page);
  expect(data.equity.ts.data.length).toBeLessThanOrEqual(17_001 * 6 * 4 * (4 / 3) + 4);
  expect(data.prices[0]!.time.length).toBeLessThanOrEqual(1502);
  expect(data.prices[0]!.fills.length).toBeLessThanOrEqual(4000);
});

test('a comparison has no headline of what did not trade or failed', () => {
  const idle = { name: 'idle.json', result: sampleResult({ fillEvery: 0 }) };
  const failures = [{ strategy: 'maker', message: 'a strategy threw' }];
  const failed = { name: 'failed.json', result: { ...sampleResult(), failures } };
  const traded = { name: 'traded.json', result: sampleResult() };
  const page = renderComparison([traded, idle, failed]);
  const rowOf = (name: string): string => new RegExp(`${name}[^]*?</tr>`).exec(page)?.[0] ?? '';
  expect(rowOf('traded.json')).toContain('USDT');
  for (const [name, says] of [
    ['idle.json', 'did not trade'],
    ['failed.json', 'failed'],
  ] as const) {
    expect(rowOf(name)).toContain(`<td class="n">${says}</td>`);
    expect(rowOf(name)).not.toContain('USDT');
  }
});

test('the same result gives the same bytes', () => {
  expect(renderReport(sampleResult())).toBe(renderReport(sampleResult()));
});

test('the headline is what own trading made; what the account held stands beside, grey', () => {
  const page = renderReport(sampleResult());
  const { netPnl, heldDrift } = sampleResult().stats;
  expect(netPnl).not.toBe(0);
  expect(page.includes(`<span class="${toneOf(netPnl!)}">${signed(money(netPnl!), netPnl!)}</span>`)).toBe(true);
  expect(page.includes(`<span class="beside">${heldDrift!.toFixed(2)}</span>`)).toBe(true);
});

test('without a fill the headline says so, and after an error there is none', () => {
  const idle = sampleResult({ fillEvery: 0 });
  expect(renderReport(idle).includes('<span>did not trade</span>')).toBe(true);
  const failures = [{ strategy: 'maker', message: 'a strategy threw' }];
  const failed = renderReport({ ...sampleResult(), failures });
  expect(failed.includes('<li>a strategy threw</li>')).toBe(true);
  expect(failed.includes('aria-label="Key figures"')).toBe(false);
});
