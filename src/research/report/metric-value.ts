/** A metric's value as text, by unit. */
import { NONE, count, duration, fixed, general, money, signed } from './format.ts';
import { html, type Html } from './html.ts';
import type { MetricRow, MetricUnit } from './metric-table.ts';

export type StatValue = number | null | readonly [number, number] | undefined;

export function valueText(unit: MetricUnit, value: StatValue): string {
  if (value === null || value === undefined) return NONE;
  if (typeof value !== 'number') return `${general(value[0])} … ${general(value[1])}`;
  switch (unit) {
    case 'money':
      return money(value);
    case 'percent':
      return `${percent(value)} %`;
    case 'fraction':
      return `${percent(value * 100)} %`;
    case 'bps':
      return `${fixed(value, Math.abs(value) < 10 ? 3 : 1)} bps`;
    case 'count':
      return count(value);
    case 'duration':
      return duration(value);
    case 'days':
      return `${fixed(value, value < 10 ? 1 : 0)} d`;
    case 'ratio':
    case 'interval':
      return general(value);
  }
}

/** Two decimals, more below a tenth of a percent. */
function percent(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return fixed(value, 0);
  return fixed(value, size === 0 || size >= 0.1 ? 2 : 4);
}

/** Coloured by sign where `signed`; grey where `isBeside`. */
export function valueHtml(row: Pick<MetricRow, 'unit' | 'signed' | 'isBeside'>, value: StatValue): Html {
  const text = valueText(row.unit, value);
  if (row.isBeside === true) return html`<span class="beside">${text}</span>`;
  if (row.signed !== true || typeof value !== 'number') return html`<span>${text}</span>`;
  return html`<span class="${toneOf(value)}">${signed(text, value)}</span>`;
}

export function toneOf(value: number): 'gain' | 'loss' | '' {
  return value > 0 ? 'gain' : value < 0 ? 'loss' : '';
}
