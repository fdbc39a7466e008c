import { expect, it } from 'vitest';
import { moneyText, worthText } from '../../src/model/text/money-text.ts';

it.each([
  [0, '0.00'],
  [-0, '0.00'],
  [1234567.891, '1,234,567.89'],
  [-1234.5, '-1,234.50'],
  [999, '999.00'],
  [1, '1.00'],
  [0.13, '0.13'],
  [0.5, '0.50'],
  [-0.13129, '-0.131'],
  [0.000123456, '0.000123'],
  [0.00001, '0.00001'],
  [1e-15, '0.00'],
  [-1e-15, '0.00'],
  [Number.NaN, 'NaN'],
])('%d: %s', (value, text) => {
  expect(moneyText(value)).toBe(text);
  expect(worthText(value)).toBe(text.replaceAll(',', ''));
});
