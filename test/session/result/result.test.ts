import { expect, test } from 'vitest';
import { readResult, summaryOf } from '../../../src/session/result/result.ts';
import { sampleResult } from '../../research/report/sample-result.ts';

test('what is written is read back unchanged', () => {
  const result = sampleResult();
  expect(readResult(JSON.stringify(result), 'r.json')).toEqual(result);
});

test('what other versions add or leave out does not matter', () => {
  const { equity, fills, period, stats, strategy } = sampleResult();
  const least = { command: 'paper', strategy, period, stats, equity, fills, novelty: 1 };
  const read = readResult(JSON.stringify(least), 'r.json');
  expect(read).toMatchObject({ currency: 'USDT', runHash: null, warnings: [], notes: [], positions: [] });
  expect(read).not.toHaveProperty('novelty');
});

test.each([
  ['text', 'not json', 'is not JSON'],
  ['half a file', JSON.stringify(sampleResult()).slice(0, 500), 'is not JSON'],
  ['another document', '{"command":"backtest"}', 'strategy'],
  ['a list', '[]', 'document'],
  [
    'a price that is a number',
    JSON.stringify({ ...sampleResult(), fills: [{ ...sampleResult().fills[0], price: 1 }] }),
    'fills.0.price',
  ],
  ['no equity', JSON.stringify({ ...sampleResult(), equity: [] }), 'equity'],
])('%s is refused with what is wrong', (_, text, part) => {
  expect(() => readResult(text, 'r.json')).toThrow(
    expect.objectContaining({ code: 'result_invalid', exit: 2, message: expect.stringContaining(part) }),
  );
});

test('the summary has counts where the result has lists', () => {
  const result = sampleResult();
  const summary = summaryOf(result);
  expect(summary.fills).toBe(20);
  expect(summary.orders).toEqual(result.orderCounts);
  expect(Object.keys(summary)).toEqual(
    'command strategy runHash seed params period events loadMs wallMs eventsPerSecond orders programs fills stats assumptions warnings files'.split(
      ' ',
    ),
  );
});
