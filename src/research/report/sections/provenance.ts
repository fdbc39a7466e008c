/** Assumptions, models, parameters, data, period and hash of the run. */
import type { ResultDocument } from '../../../session/result/result.ts';
import { count, countedText, duration, time } from '../format.ts';
import { html, type Html } from '../html.ts';
import { empty } from './charts.ts';

const MAX_ROWS = 200;

export type Row = readonly [key: string, value: string];

export function assumptionSection(result: ResultDocument): Html {
  return rowsCard('Assumptions', 'models and costs in force', flatten(result.assumptions), 'None are recorded.');
}

export function parameterSection(result: ResultDocument): Html {
  return rowsCard('Parameters', 'of the strategy', flatten(result.params), 'The strategy has no parameters.');
}

export function runSection(result: ResultDocument): Html {
  const { period, events, orderCounts, instruments, ledger } = result;
  const rows: Row[] = [
    ['Run hash', result.runHash ?? 'none: live data'],
    ...hashRows(result),
    ['Seed', result.seed === null ? 'none' : String(result.seed)],
    ['From', `${time(period.from)} UTC`],
    ['To', `${time(period.to)} UTC`],
    ['Length', duration(period.to - period.from)],
  ];
  const kinds = (['total', 'depth', 'trades', 'quotes'] as const).filter((kind) => events[kind] !== undefined);
  if (kinds.length > 0) rows.push(['Events', kinds.map((kind) => `${count(events[kind] ?? 0)} ${kind}`).join(', ')]);
  if (result.wallMs > 0) {
    rows.push(['Replay', `${duration(result.wallMs)}, ${count(result.eventsPerSecond)} events/s`]);
  }
  if (orderCounts !== undefined) {
    rows.push([
      'Orders',
      Object.entries(orderCounts)
        .map(([kind, number]) => `${count(number)} ${kind}`)
        .join(', '),
    ]);
  }
  if (ledger !== undefined) rows.push(['Trials on these data', countedText(ledger)]);
  if (instruments.length > 0) {
    const names = instruments.slice(0, 20).map(({ symbol, market }) => `${symbol} (${market})`);
    rows.push(['Instruments', names.join(', ')]);
  }
  return rowsCard('Run', 'the same hash gives the same fills', rows, '');
}

/** Parts of the run hash, for comparison between runs. */
function hashRows({ hashes }: ResultDocument): Row[] {
  if (hashes === undefined) return [];
  return [
    ['Hash of code', hashes.code],
    ['Hash of data', hashes.data ?? 'none: live data'],
    ['Hash of settings', hashes.config],
  ];
}

function rowsCard(title: string, subtitle: string, rows: readonly Row[], none: string): Html {
  return html`<section class="card">
    <div class="title">
      <h2>${title}</h2>
      <p>${subtitle}</p>
    </div>
    ${
      rows.length === 0
        ? empty(none)
        : html`<table class="pairs">
            <tbody>
              ${rows.slice(0, MAX_ROWS).map(
                ([key, value]) =>
                  html`<tr>
                    <th scope="row">${key}</th>
                    <td>${value}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
  </section>`;
}

/** Nested records as rows `latency.entryMs`; lists and deep values as shortened JSON. */
export function flatten(record: Readonly<Record<string, unknown>>, prefix = '', depth = 0): Row[] {
  return Object.entries(record).flatMap(([key, value]): Row[] => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    if (isRecord(value) && depth < 3) return flatten(value, path, depth + 1);
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
    return [[path, text.length > 400 ? `${text.slice(0, 400)}…` : text]];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
