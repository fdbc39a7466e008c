import { expect, test } from 'vitest';
import { costSteps } from '../../../src/research/report/costs.ts';
import { duration, fixed, general, money, signed, time } from '../../../src/research/report/format.ts';
import { html, jsonBlock } from '../../../src/research/report/html.ts';
import { symbolsOf } from '../../../src/research/report/instruments.ts';
import { renderReport } from '../../../src/research/report/render.ts';
import { valuesOf } from '../../../src/statistics/valuation.ts';
import { sampleResult } from './sample-result.ts';

test('numbers keep the digits that matter', () => {
  expect(money(1234567.891)).toBe('1,234,567.89');
  expect(money(-0.00042)).toBe('−0.000420');
  expect(money(0)).toBe('0.00');
  expect(fixed(-0.001, 2)).toBe('0.00');
  expect(general(0.123456)).toBe('0.1235');
  expect(general(-0.0000123)).toBe('−1.23e−5');
  expect(signed('5.00', 5)).toBe('+5.00');
});

test('durations name their two largest units', () => {
  expect([0, 340, 1500, 20_000, 61_000, 3_600_000, 90_000_000].map(duration)).toEqual([
    '0 ms',
    '340 ms',
    '1.5 s',
    '20 s',
    '1 min 1 s',
    '1 h',
    '1 d 1 h',
  ]);
});

test('a time that no calendar holds is a number', () => {
  expect(time(Date.UTC(2024, 0, 2, 3, 4, 5))).toBe('2024-01-02 03:04:05');
  expect(time(1e18)).toBe('1000000000000000000');
});

test('templates escape, nest and join', () => {
  const inner = html`<b>${'<&>"\''}</b>`;
  expect(html`${[inner, 'x', null]}${3}`.text).toBe('<b>&lt;&amp;&gt;&quot;&#39;</b>x3');
  expect(JSON.parse(jsonBlock('</script>\u2028'))).toBe('</script>\u2028');
  expect(jsonBlock('</script>')).not.toContain('<');
});

test('the cost steps lead from the arrival mid to the net', () => {
  const result = sampleResult();
  const steps = costSteps(result, valuesOf(result.fills, symbolsOf(result)));
  expect(steps.map(({ label }) => label)).toEqual(['At arrival mid', 'Slippage', 'Gross', 'Fees', 'Net']);
  const [mid, slippage, gross, fees, net] = steps.map(({ amount }) => amount) as [
    number,
    number,
    number,
    number,
    number,
  ];
  // Twenty fills, each 5 better than the mid on 0.01.
  expect(slippage).toBeCloseTo(1, 9);
  expect(fees).toBeCloseTo(-1.2, 9);
  expect(mid + slippage).toBeCloseTo(gross, 9);
  expect(gross + fees).toBeCloseTo(net, 9);
  expect(net).toBe(result.stats.netPnl);
});

test('interest that is owed on an overdraft comes after the net, where a live session was charged', () => {
  const live = { ...sampleResult(), command: 'run' as const };
  const labels = (overdraftInterest: number | null | undefined): readonly string[] => {
    const result = overdraftInterest === undefined ? live : { ...live, overdraftInterest };
    return costSteps(result, []).map(({ label }) => label);
  };
  for (const none of [undefined, null, 0]) expect(labels(none).at(-1)).toBe('Net');
  expect(labels(2.5).slice(-3)).toEqual(['Net', 'Overdraft interest', 'Net after interest']);
  const [net, interest, left] = costSteps({ ...live, overdraftInterest: 2.5 }, []).slice(-3);
  expect([interest!.amount, left!.amount]).toEqual([-2.5, net!.amount - 2.5]);
  for (const [charged, said] of [
    [2.5, 'charged to the loan'],
    [0, 'charged no interest'],
    [null, 'is not known'],
  ] as const)
    expect(renderReport({ ...live, overdraftInterest: charged })).toContain(said);
});
