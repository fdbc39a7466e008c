/** The page of a search. Needs no script. */
import { card, figures, staticDocument, type Figure } from '../../report/document.ts';
import { count, countedText, duration, fixed, general, time } from '../../report/format.ts';
import { html, type Html } from '../../report/html.ts';
import { warningSection } from '../../report/sections/header.ts';
import type { SweepResult, SweepTrial } from '../result.ts';
import { heatMaps } from './heat-maps.ts';
import { searchHistory } from './history.ts';
import { parallelCoordinates } from './parallel.ts';
import { scoredTrials } from './scale.ts';

const ROWS_MAX = 25;

export function renderSweep(result: SweepResult): string {
  const scored = scoredTrials(result);
  const { period, space, method, study } = result;
  const best = scored.toSorted((a, b) => b.share - a.share).map(({ trial }) => trial);
  const hasBroken = result.counts.infeasible > 0;
  const body = html`<header>
      <p class="kind">Search</p>
      <h1>${result.strategy}</h1>
      <p class="meta">
        <span>${method}${result.halving ? ', successive halving' : ''}</span>
        <span>${time(period.from)} – ${time(period.to)} UTC</span>
        ${(result.lockbox ?? null) === null ? null : html`<span>lockbox from ${time(result.lockbox!.from)} UTC left out</span>`}
        <span>search <code>${study}</code>, seed ${result.seed}</span>
        ${result.ledger === undefined ? null : html`<span>trials on these data: ${countedText(result.ledger)}</span>`}
      </p>
    </header>
    ${figures(figureRows(result))} ${warningSection(result.warnings)}
    <main>
      ${card('Trials', `${space.objectives[0]?.metric ?? ''} in the order of the search; the line is the best so far${hasBroken ? ', what is faint breaks a constraint' : ''}`, searchHistory(result, scored))}
      ${card('Parameters and objectives', 'one line a trial, yellow is best', parallelCoordinates(result, scored))}
      ${card('Heat maps', 'mean of the first objective; a lone bright cell is luck, a bright field may be an edge', heatMaps(result, scored))}
      ${card('What matters', 'share of the variance of the first objective that each parameter explains alone', importance(result))}
      ${space.objectives.length > 1 ? card('Front', 'trials that no other one beats in every objective', trialTable(result, result.front)) : null}
      ${card('Best trials', `the first ${Math.min(ROWS_MAX, best.length)} of ${count(best.length)}${hasBroken ? '; ✗ breaks a constraint' : ''}`, trialTable(result, best))}
    </main>`;
  return staticDocument(`${result.strategy} · search`, body);
}

function figureRows({ counts, best, space, luck, landscape, wallMs, workers }: SweepResult): readonly Figure[] {
  const [objective] = space.objectives;
  const value = best === null || objective === undefined ? null : (best.metrics[objective.metric] ?? null);
  const share = (number: number | null): string => (number === null ? '–' : fixed(number, 2));
  return [
    {
      label: `Best ${objective?.metric ?? ''}`,
      value: value === null ? '–' : general(value),
      note: best === null ? 'no trial traded and fulfils the constraints' : `trial ${best.number}`,
    },
    {
      label: 'Trials',
      value: count(counts.done),
      note: `${counts.pruned} pruned, ${counts.failed} failed, ${counts.infeasible} against a constraint`,
    },
    {
      label: 'Deflated Sharpe',
      value: share(luck.dsr),
      note: `after ${count(luck.trialsOnData)} trials on these data, ${luck.effectiveTrials === null ? '–' : fixed(luck.effectiveTrials, 1)} of them independent`,
    },
    {
      label: 'Probability of overfitting',
      value: share(luck.pbo),
      note: luck.pbo === null ? 'too few trials or periods' : 'the best in one half is below the median in the other',
    },
    {
      label: 'Plateau',
      value: share(landscape.plateauScore),
      note: 'mean rank of the nearest trials; 0.5 is a lone peak',
    },
    {
      label: 'Length needed',
      value: luck.minBacktestYears === null ? '–' : `${general(luck.minBacktestYears)} y`,
      note: 'below it the best of so many trials is expected to look this good by luck',
    },
    {
      label: 'Returns compared',
      value: count(luck.periods),
      note: luck.sampleMs === null ? 'none' : `one per ${duration(luck.sampleMs)}`,
    },
    {
      label: 'Time',
      value: duration(wallMs),
      note: `${workers} ${workers === 1 ? 'worker' : 'workers'}${counts.resumed > 0 ? `, ${counts.resumed} taken from before` : ''}`,
    },
  ];
}

function importance({ landscape }: SweepResult): Html {
  const rows = landscape.importance.toSorted((a, b) => b.share - a.share);
  return html`<table class="metrics">
    <tbody>
      ${rows.map(
        ({ name, share }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>
              <svg viewBox="0 0 200 10" width="200" height="10" aria-hidden="true">
                <rect x="0" y="2" width="${Math.round(share * 200)}" height="6" class="bar" />
              </svg>
              ${fixed(share * 100, 0)} %
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function trialTable({ space }: SweepResult, trials: readonly SweepTrial[]): Html {
  const names = Object.keys(space.parameters);
  const metrics = [...new Set([...space.objectives, ...space.constraints].map(({ metric }) => metric))];
  const text = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : Number.isInteger(value) ? count(value) : general(value);
  return html`<div class="scroll">
    <table class="list">
      <thead>
        <tr>
          <th>trial</th>
          ${names.map((name) => html`<th>${name}</th>`)} ${metrics.map((name) => html`<th class="number">${name}</th>`)}
          <th>run</th>
        </tr>
      </thead>
      <tbody>
        ${trials.slice(0, ROWS_MAX).map(
          (trial) =>
            html`<tr>
              <td>${trial.number}${trial.feasible ? '' : ' ✗'}</td>
              ${names.map((name) => html`<td>${String(trial.params[name])}</td>`)}
              ${metrics.map((name) => html`<td class="number">${text(trial.metrics[name])}</td>`)}
              <td><code>${trial.runHash?.slice(0, 8) ?? ''}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
