/** Cost breakdown and markouts as SVG bars, without script. */
import type { ResultDocument } from '../../../session/result/result.ts';
import type { FillValue } from '../../../statistics/valuation.ts';
import { costSteps, numberOf, type CostStep } from '../costs.ts';
import { money, signed } from '../format.ts';
import { html, type Html } from '../html.ts';
import { toneOf, valueText } from '../metric-value.ts';
import { empty } from './charts.ts';

export function costSection(result: ResultDocument, values: readonly FillValue[]): Html {
  const steps = costSteps(result, values);
  const volume = numberOf(result, 'volume') ?? 0;
  return html`<section class="card">
    <div class="title">
      <h2>Cost breakdown</h2>
      <p>${result.currency}, from gross to net</p>
    </div>
    ${
      steps.length === 0
        ? empty('Net P&L or fees are not known, so there is nothing to break down.')
        : result.fills.length === 0
          ? empty('No fills, so no costs.')
          : html`${waterfall(steps, volume)}
              <p class="note">${overdraftNote(result)}</p>`
    }
  </section>`;
}

/** Explains interest in or outside the breakdown. */
function overdraftNote({ command, overdraftInterest }: ResultDocument): string {
  if (command !== 'run') return 'No overdraft is drawn in simulation: no interest.';
  if (overdraftInterest === undefined || overdraftInterest === null) return 'Interest on an overdraft is not known.';
  if (overdraftInterest === 0) return 'The exchange charged no interest on an overdraft.';
  return 'Interest on an overdraft is charged to the loan: the equity, and every statistic, has it when it is repaid.';
}

function waterfall(steps: readonly CostStep[], volume: number): Html {
  const bars = barsOf(steps);
  const edges = bars.flatMap(({ from, to }) => [from, to]);
  const low = edges.reduce((least, edge) => Math.min(least, edge), 0);
  const high = edges.reduce((most, edge) => Math.max(most, edge), 0);
  const place = (value: number): number => (high === low ? 0 : ((value - low) / (high - low)) * 100);
  return html`<table class="bars">
    <thead>
      <tr>
        <th></th>
        <th aria-label="Bar"></th>
        <th>amount</th>
        <th>bps of volume</th>
      </tr>
    </thead>
    <tbody>
      ${bars.map(({ step, from, to }) => {
        const left = Math.min(place(from), place(to));
        const width = from === to ? 0 : Math.max(0.5, Math.abs(place(to) - place(from)));
        const tone = step.kind === 'total' ? 'total' : toneOf(step.amount);
        return html`<tr class="${step.kind}">
          <th scope="row">${step.label}<small>${step.note}</small></th>
          <td>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              <line x1="${place(0)}" x2="${place(0)}" y1="0" y2="10" />
              <rect class="${tone}" x="${left}" width="${width}" y="2" height="6" />
            </svg>
          </td>
          <td class="${toneOf(step.amount)}">${signed(money(step.amount), step.amount)}</td>
          <td>${volume > 0 ? ((step.amount / volume) * 10_000).toFixed(2).replace('-', '−') : '–'}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** Totals start at zero, changes at the previous end. */
function barsOf(steps: readonly CostStep[]): { step: CostStep; from: number; to: number }[] {
  let level = 0;
  return steps.map((step) => {
    const from = step.kind === 'total' ? 0 : level;
    level = from + step.amount;
    return { step, from, to: level };
  });
}

const HORIZONS = [
  ['1 s', 'markout1s'],
  ['5 s', 'markout5s'],
  ['30 s', 'markout30s'],
] as const;

export function markoutSection(result: ResultDocument): Html {
  const values = HORIZONS.map(([label, name]) => ({ label, value: numberOf(result, name) }));
  const known = values.filter(({ value }) => value !== null);
  const most = known.reduce((size, { value }) => Math.max(size, Math.abs(value ?? 0)), 0);
  return html`<section class="card">
    <div class="title">
      <h2>Markouts</h2>
      <p>bps, move of the mid after a fill in its direction</p>
    </div>
    ${
      known.length === 0
        ? empty(
            result.fills.length === 0
              ? 'No fills, so no markouts.'
              : 'The mids are recorded too seldom, or end too early, to say.',
          )
        : html`<table class="bars diverging">
              <tbody>
                ${values.map(({ label, value }) => markoutRow(label, value, most))}
              </tbody>
            </table>
            <p class="note">Below zero the fill was picked off: the mid went against it. Weighted by notional.</p>`
    }
  </section>`;
}

function markoutRow(label: string, value: number | null, most: number): Html {
  const half = value === null || most === 0 ? 0 : (Math.abs(value) / most) * 50;
  const x = value !== null && value < 0 ? 50 - half : 50;
  return html`<tr>
    <th scope="row">after ${label}</th>
    <td>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <line x1="50" x2="50" y1="0" y2="10" />
        <rect class="${value === null ? '' : toneOf(value)}" x="${x}" width="${half}" y="2" height="6" />
      </svg>
    </td>
    <td class="${value === null ? '' : toneOf(value)}">${valueText('bps', value)}</td>
  </tr>`;
}
