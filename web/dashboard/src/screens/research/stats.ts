/** Metrics with the labels and units of the report. */
import { metricRows, type MetricRow } from '../../../../../src/research/report/metric-table.ts';
import { grouped, NONE, percent, signed } from '../../ui/number.ts';
import { length } from '../../ui/time.ts';

const byName = new Map<string, MetricRow>(metricRows.map((row) => [row.name, row]));
/** Names of searches for metrics of the report. */
const ALIASES: Readonly<Record<string, string>> = { tradingPnl: 'netPnl', sharpePerPeriod: 'sharpe' };

function rowOf(name: string): MetricRow | undefined {
  return byName.get(ALIASES[name] ?? name);
}

export function labelOf(name: string): string {
  return rowOf(name)?.label ?? name;
}

/** `value` comes from a file: anything that is no number shows as nothing. */
export function statText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => statText(name, each)).join(' to ');
  if (typeof value !== 'number' || !Number.isFinite(value)) return NONE;
  const row = rowOf(name);
  switch (row?.unit) {
    case 'money':
      return row.signed === true ? signed(value) : grouped(value, 2);
    case 'percent':
      return `${row.signed === true ? signed(value) : grouped(value, 2)} %`;
    case 'fraction':
      return percent(value);
    case 'bps':
      return `${signed(value)} bps`;
    case 'count':
      return grouped(value, 0);
    case 'duration':
      return length(value);
    case 'days':
      return `${grouped(value, 1)} d`;
    default:
      return Number.isInteger(value) ? grouped(value, 0) : grouped(value, Math.abs(value) >= 100 ? 1 : 3);
  }
}
