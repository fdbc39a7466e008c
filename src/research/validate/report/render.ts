/** The page of a validation, verdict first. Needs no script. */
import { card, figures, staticDocument, type Figure } from '../../report/document.ts';
import { count, countedText, duration, fixed, general, money, signed, time } from '../../report/format.ts';
import { html, type Html } from '../../report/html.ts';
import { warningSection } from '../../report/sections/header.ts';
import { chosenText, isSkipped, type NamedFold, type Skipped, type ValidationResult } from '../result.ts';
import { cloud, fan, foldBars, logits } from './drawings.ts';

export function renderValidation(result: ValidationResult): string {
  const { verdict, research, strategy, runHash } = result;
  const body = html`<header>
      <p class="kind">Validation</p>
      <h1>${strategy}</h1>
      <p class="meta">
        <span>${time(research.from)} – ${time(research.to)} UTC</span>
        <span>${duration(research.to - research.from)}</span>
        ${runHash === null ? null : html`<span>run <code>${runHash.slice(0, 12)}</code></span>`}
        ${result.ledger === undefined ? null : html`<span>trials on these data: ${countedText(result.ledger)}</span>`}
      </p>
    </header>
    <section class="verdict ${verdict.level}">
      <h2>${verdict.sentence}</h2>
      ${
        verdict.reasons.length === 0
          ? html`<p>Nothing here speaks against it. That is not a promise.</p>`
          : html`<ul>
              ${verdict.reasons.map((reason) => html`<li>${reason}</li>`)}
            </ul>`
      }
    </section>
    ${figures(figureRows(result))} ${warningSection(result.warnings)}
    <main>
      ${card('What could have been', bandsSentence(result), partOf(result.bands, fan))}
      ${card(
        'Walk forward',
        walkSentence(result),
        partOf(result.walkForward, (part) => html`${foldBars(part)} ${foldTable(part.folds)}`),
      )}
      ${card(
        'Overfitting',
        overfittingSentence(result),
        partOf(result.overfitting, (part) => html`<div class="maps two">${logits(part)} ${cloud(part)}</div>`),
      )}
      ${card('Worse execution', 'one assumption at a time, then all at once; what an edge lives from', stressTable(result))}
      ${card('Look-ahead proof', 'the data are cut off; what was decided before each cut must not change by a byte', cutTable(result))}
      ${card('Lockbox', lockboxSentence(result), lockboxTable(result))}
    </main>`;
  return staticDocument(`${strategy} · validation`, body);
}

function share(value: number | null): string {
  return value === null ? '–' : fixed(value, 2);
}

function figureRows({ base, overfitting, bestOfMany, permutation }: ValidationResult): readonly Figure[] {
  const pnl = base.metrics['tradingPnl'] ?? null;
  const sample = duration(base.sampleMs);
  return [
    {
      label: 'Trading made',
      value: pnl === null ? '–' : signed(money(pnl), pnl),
      note: `${count(base.metrics['trades'] ?? 0)} trades, net of costs`,
    },
    {
      label: 'Probabilistic Sharpe',
      value: share(base.psr),
      note: `P(true Sharpe > 0), ${count(base.periods)} returns of ${sample}`,
    },
    {
      label: 'Deflated Sharpe',
      value: share(base.dsr),
      note: `after ${count(base.trialsOnData)} trials on these data, ${share(base.effectiveTrials)} independent`,
    },
    {
      label: 'Probability of overfitting',
      value: isSkipped(overfitting) ? '–' : share(overfitting.pbo),
      note: isSkipped(overfitting)
        ? overfitting.skipped
        : `${count(overfitting.trials)} trials, ${count(overfitting.splits)} splits`,
    },
    {
      label: 'Best of many, p',
      value: isSkipped(bestOfMany) ? '–' : general(bestOfMany.pValue),
      note: isSkipped(bestOfMany)
        ? bestOfMany.skipped
        : `t ${fixed(bestOfMany.t, 1)}, ${count(bestOfMany.trials + bestOfMany.elsewhere)} tries; reality check ${share(bestOfMany.realityCheckPValue)}`,
    },
    {
      label: 'Timing, p',
      value: isSkipped(permutation) ? '–' : share(permutation.pValue),
      note: isSkipped(permutation)
        ? permutation.skipped
        : `the same positions at other times; ${money(permutation.timing)} by timing, ${money(permutation.execution)} by execution`,
    },
    {
      label: 'Record needed',
      value: base.minTrackRecordPeriods === null ? '–' : duration(base.minTrackRecordPeriods * base.sampleMs),
      note: 'for a Sharpe above 0 at 95 %',
    },
    {
      label: 'Data needed',
      value: base.minBacktestYears === null ? '–' : `${general(base.minBacktestYears)} y`,
      note: 'below it so many trials look this good by luck',
    },
  ];
}

function partOf<Part extends object>(part: Part | Skipped, draw: (part: Part) => Html): Html {
  return isSkipped(part) ? html`<p class="empty">Not done: ${part.skipped}.</p>` : draw(part);
}

function bandsSentence({ bands }: ValidationResult): string {
  if (isSkipped(bands)) return 'resampled returns';
  const [low, , , , high] = bands.growth;
  const percent = (level: number): string => `${signed(money((level - 1) * 100), level - 1)} %`;
  return (
    `${count(bands.resamples)} resamples of the returns in blocks: 90 % end between ${percent(low)} and ${percent(high)}, ` +
    `${fixed(bands.lossShare * 100, 0)} % lose; drawdown up to ${money(bands.maxDrawdownPct[4])} %`
  );
}

function walkSentence({ walkForward }: ValidationResult): string {
  if (isSkipped(walkForward)) return 'chosen in training, looked at in the test that follows';
  const { mode, efficiency, gainedShare, trials } = walkForward;
  const chosen = trials === 1 ? 'the one strategy' : `the best of ${count(trials)} trials in each training part (grey)`;
  const earned =
    efficiency === null ? 'nothing was earned in training' : `${fixed(efficiency * 100, 0)} % of the training return`;
  return `${mode}: ${chosen}, in the test (coloured); ${fixed(gainedShare * 100, 0)} % of the tests gained, ${earned}`;
}

/** What was chosen in each fold; nothing where there was nothing to choose from. */
function foldTable(folds: readonly NamedFold[]): Html | null {
  if (folds.every((fold) => chosenText(fold) === null)) return null;
  return html`<div class="scroll">
    <table class="list">
      <thead>
        <tr>
          <th>fold</th>
          <th>chosen in training</th>
          <th class="number">Sharpe there</th>
          <th class="number">in the test</th>
        </tr>
      </thead>
      <tbody>
        ${folds.map(
          (fold, index) =>
            html`<tr>
              <td>${index + 1}</td>
              <td>${chosenText(fold) ?? 'the parameters as given'}</td>
              <td class="number">${general(fold.trainSharpe)}</td>
              <td class="number ${fold.testSharpe < 0 ? 'loss' : ''}">${general(fold.testSharpe)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function overfittingSentence({ overfitting }: ValidationResult): string {
  if (isSkipped(overfitting)) return 'combinatorially symmetric cross-validation';
  return (
    `left: how the best of one half ranks in the other, red at or below the median; right: its Sharpe ratio there; ` +
    `it loses in ${fixed(overfitting.lossShare * 100, 0)} % of the splits`
  );
}

function stressTable({ stress, base }: ValidationResult): Html {
  const rows = [{ name: 'as configured', change: '', metrics: base.metrics, reason: null }, ...stress];
  const cell = (value: number | null | undefined, text: (value: number) => string): Html =>
    value === null || value === undefined
      ? html`<td class="number">–</td>`
      : html`<td class="number ${value < 0 ? 'loss' : ''}">${text(value)}</td>`;
  return html`<div class="scroll">
    <table class="list">
      <thead>
        <tr>
          <th>execution</th>
          <th></th>
          <th class="number">trading made</th>
          <th class="number">Sharpe per period</th>
          <th class="number">trades</th>
          <th class="number">fill ratio</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, change, metrics, reason }) =>
            html`<tr>
              <td>${name}</td>
              <td>${reason === null ? change : `failed: ${reason}`}</td>
              ${cell(metrics?.['tradingPnl'], (value) => signed(money(value), value))}
              ${cell(metrics?.['sharpePerPeriod'], general)} ${cell(metrics?.['trades'], count)}
              ${cell(metrics?.['fillRatio'], (value) => fixed(value, 2))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cutTable({ lookAhead }: ValidationResult): Html {
  const { notCovered, filesRead = [] } = lookAhead;
  return html`<table class="list">
    <tbody>
      ${
        notCovered === null
          ? null
          : html`<tr>
              <td colspan="3">${notCovered} (${filesRead.join(', ')})</td>
            </tr>`
      }
      ${lookAhead.cuts.map(
        ({ at, decisions, differsAt }) =>
          html`<tr>
            <td>${time(at)}</td>
            <td class="number">${count(decisions)} decisions</td>
            <td>${differsAt === null ? 'the same' : `differs from ${time(differsAt)} on`}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function lockboxSentence({ lockbox }: ValidationResult): string {
  const part = `${time(lockbox.from)} – ${time(lockbox.to)} UTC`;
  const seen =
    lockbox.seenBy === 0 ? 'no earlier trial ran over it' : `${count(lockbox.seenBy)} earlier trials ran over it`;
  return lockbox.metrics === null
    ? `${part}, closed; ${seen}`
    : `${part}, opened ${lockbox.openings === 1 ? 'once' : `${count(lockbox.openings)} times`}; ${seen}`;
}

function lockboxTable({ lockbox }: ValidationResult): Html {
  if (lockbox.metrics === null)
    return html`<p class="empty">Open it once, when all else is decided: <code>--open-lockbox</code></p>`;
  const { metrics } = lockbox;
  const pnl = metrics['tradingPnl'] ?? null;
  return html`<table class="list">
    <tbody>
      <tr>
        <td>trading made</td>
        <td class="number">${pnl === null ? '–' : signed(money(pnl), pnl)}</td>
      </tr>
      <tr>
        <td>trades</td>
        <td class="number">${count(metrics['trades'] ?? 0)}</td>
      </tr>
      <tr>
        <td>Sharpe per period</td>
        <td class="number">
          ${metrics['sharpePerPeriod'] === null || metrics['sharpePerPeriod'] === undefined ? '–' : general(metrics['sharpePerPeriod'])}
        </td>
      </tr>
    </tbody>
  </table>`;
}
