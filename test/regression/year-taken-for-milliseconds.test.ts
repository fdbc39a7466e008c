/** `--from 2022` and `--from 1641340800` (seconds) were read as milliseconds of 1970, so that the whole data was run. */
import { expect, it } from 'vitest';
import { timeOption } from '../../src/cli/config-option.ts';

it.each(['2022', '1999', '1641340800', '1641340800.5'])('data/period/refuses %s', (text) => {
  expect(() => timeOption('from', text)).toThrow(`--from ${text} is not a time such as`);
});

it.each([
  ['1641340800000', 1_641_340_800_000],
  ['2022-01-05', 1_641_340_800_000],
  ['60000', 60_000],
  ['0', 0],
])('data/period/takes %s', (text, ms) => {
  expect(timeOption('from', text)).toBe(ms);
});
