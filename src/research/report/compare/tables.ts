/** Tables of a comparison: statistics and differing settings. */
import { count, fixed, general, money, signed } from '../format.ts';
import { html, type Html } from '../html.ts';
import { metricGroups, type MetricRow } from '../metric-table.ts';
import { valueHtml, valueText, type StatValue } from '../metric-value.ts';
import { flatten } from '../sections/provenance.ts';
import type { Compared } from './compared.ts';

const ROWS_MAX = 200;

/** By group; rows without any value are left out. */
export function statisticTable(compared: readonly Compared[]): Html {
  const oneCurrency = new Set(compared.map(({ result }) => result.currency)).size === 1;
  const groups = metricGroups
    .map(({ title, rows }) => ({
      title,
      rows: rows.filter(({ name }) => compared.some(({ result }) => (result.stats[name] ?? null) !== null)),
    }))
    .filter(({ rows }) => rows.length > 0);
  return sideBySide(
    compared,
    groups.map(({ title, rows }) => ({
      title,
      rows: rows.map((row) => ({
        label: row.label,
        note: row.convention,
        cells: compared.map(({ result }) =>
          statCell(row, result.stats[row.name], compared[0]!.result.stats[row.name], oneCurrency),
        ),
      })),
    })),
  );
}

/** Fill and order counts beyond the statistics. */
export function fillTable(compared: readonly Compared[]): Html {
  const cells = (valueOf: (each: Compared) => number | undefined): readonly Html[] =>
    compared.map((each) => {
      const value = valueOf(each);
      const first = valueOf(compared[0]!);
      if (value === undefined) return html`–`;
      const gap = first === undefined ? 0 : value - first;
      return html`${count(value)}${gap === 0 ? null : html`<small>${signed(count(gap), gap)}</small>`}`;
    });
  const kinds = ['submitted', 'accepted', 'canceled', 'denied', 'rejected', 'expired'] as const;
  return sideBySide(compared, [
    {
      title: 'Fills and orders',
      rows: [
        { label: 'Fills', note: 'parts of orders', cells: cells(({ result }) => result.fills.length) },
        {
          label: 'Bought',
          note: 'fills',
          cells: cells(({ result }) => result.fills.filter(({ side }) => side === 'buy').length),
        },
        {
          label: 'As maker',
          note: 'fills',
          cells: cells(({ result }) => result.fills.filter(({ liquidity }) => liquidity === 'maker').length),
        },
        ...kinds.map((kind) => ({
          label: `Orders ${kind}`,
          note: '',
          cells: cells(({ result }) => result.orderCounts?.[kind]),
        })),
      ],
    },
  ]);
}

/** Parameters, assumptions and run facts that differ. */
export function differenceTable(compared: readonly Compared[]): Html {
  const columns = compared.map(
    ({ result: { strategy, params, assumptions, currency, seed, hashes, runHash, instruments } }) =>
      new Map<string, string>([
        ['strategy', strategy],
        ['currency', currency],
        ['seed', seed === null ? 'none' : String(seed)],
        ['instruments', instruments.map(({ symbol }) => symbol).join(', ')],
        ...flatten({ parameter: params }),
        ...flatten(assumptions),
        ['hash of code', hashes?.code ?? 'not known'],
        ['hash of settings', hashes?.config ?? 'not known'],
        ['hash of data', hashes?.data ?? 'not known'],
        ['run hash', runHash ?? 'none'],
      ]),
  );
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const rows = keys.filter((key) => new Set(columns.map((column) => column.get(key))).size > 1);
  if (rows.length === 0) return html`<p class="empty">Nothing: the same code, data, settings and seed.</p>`;
  return html`<div class="scroll">
    <table class="list side">
      <thead>
        ${head(compared)}
      </thead>
      <tbody>
        ${rows.slice(0, ROWS_MAX).map(
          (key) =>
            html`<tr>
              <th scope="row">${key}</th>
              ${columns.map((column) => html`<td class="text">${column.get(key) ?? '–'}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

interface SideGroup {
  readonly title: string;
  readonly rows: readonly { readonly label: string; readonly note: string; readonly cells: readonly Html[] }[];
}

function sideBySide(compared: readonly Compared[], groups: readonly SideGroup[]): Html {
  return html`<div class="scroll tall">
    <table class="list side">
      <thead>
        ${head(compared)}
      </thead>
      <tbody>
        ${groups.map(
          ({ title, rows }) =>
            html`<tr class="group">
                <th colspan="${compared.length + 1}" scope="rowgroup">${title}</th>
              </tr>
              ${rows.map(
                ({ label, note, cells }) =>
                  html`<tr>
                    <th scope="row">${label}<small>${note}</small></th>
                    ${cells.map((cell) => html`<td class="n">${cell}</td>`)}
                  </tr>`,
              )}`,
        )}
      </tbody>
    </table>
  </div>`;
}

function head(compared: readonly Compared[]): Html {
  return html`<tr>
    <th></th>
    ${compared.map(({ letter }, index) => html`<th class="n"><span class="key k${index}">${letter}</span></th>`)}
  </tr>`;
}

/** With the difference from the first, unless currencies differ. */
function statCell(row: MetricRow, value: StatValue, first: StatValue, oneCurrency: boolean): Html {
  const shown = valueHtml(row, value);
  if (typeof value !== 'number' || typeof first !== 'number' || value === first) return shown;
  if (row.unit === 'money' && !oneCurrency) return shown;
  return html`${shown}<small>${differenceText(row, value - first)}</small>`;
}

/** Percentages differ in percentage points. */
function differenceText({ unit }: MetricRow, gap: number): string {
  if (unit === 'percent' || unit === 'fraction') {
    const points = unit === 'percent' ? gap : gap * 100;
    return signed(`${fixed(points, Math.abs(points) >= 0.1 ? 2 : 4)} pp`, gap);
  }
  if (unit === 'money') return signed(money(gap), gap);
  if (unit === 'ratio') return signed(general(gap), gap);
  if (unit === 'duration' && gap < 0) return `−${valueText(unit, -gap)}`;
  return signed(valueText(unit, gap), gap);
}
