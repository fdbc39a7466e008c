/** The report said that VaR and CVaR of fewer than 20 returns are undefined, where the result of the same run had values. */
import { expect, it } from 'vitest';
import { metricRows } from '../../src/research/report/metric-table.ts';
import { valueText } from '../../src/research/report/metric-value.ts';
import { statisticsSection } from '../../src/research/report/sections/statistics.ts';
import { sampleResult } from '../research/report/sample-result.ts';

it('report/statistics/every-number-as-the-result-has-it', () => {
  const result = sampleResult({ seconds: 200_000, fillEvery: 20 });
  expect(result.conventions.samples).toBeLessThan(20);
  expect(result.stats['var95']).not.toBeNull();
  const text = statisticsSection(result).text.replaceAll(/\s+/g, ' ');
  const rows = metricRows.filter(({ label }) => text.includes(`>${label}<`));
  for (const { name, label, unit } of rows) {
    const [, shown] = new RegExp(`>${label}<.*?<td>(.*?)</td>`).exec(text)!;
    expect(shown!.replaceAll(/<[^>]*>/g, ''), name).toBe(valueText(unit, result.stats[name]));
  }
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['var95', 'cvar95', 'sharpe', 'sqn']));
});
