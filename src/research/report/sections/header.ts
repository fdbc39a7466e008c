/** Top of the report: run, period, data and key figures. */
import type { ResultDocument } from '../../../session/result/result.ts';
import type { Trade } from '../../../statistics/trades.ts';
import { whyNoSharpe } from '../../../statistics/unannualised.ts';
import { numberOf } from '../costs.ts';
import { count, duration, general, money, signed, time } from '../format.ts';
import { html, type Html } from '../html.ts';
import { metricRows } from '../metric-table.ts';
import { valueHtml, valueText } from '../metric-value.ts';

const KINDS: Readonly<Record<ResultDocument['command'], string>> = {
  backtest: 'Backtest',
  paper: 'Paper trading',
  run: 'Live trading',
};

export function headerSection(result: ResultDocument): Html {
  const { from, to } = result.period;
  const symbols = symbolNames(result);
  return html`<header>
    <p class="kind">${KINDS[result.command]}</p>
    <h1>${result.strategy}</h1>
    <p class="meta">
      <span>${symbols.slice(0, 6).join(', ')}${symbols.length > 6 ? ` and ${symbols.length - 6} more` : ''}</span>
      <span>${time(from)} – ${time(to)} UTC</span>
      <span>${duration(to - from)}</span>
      ${result.runHash === null ? null : html`<span>run <code>${result.runHash.slice(0, 12)}</code></span>`}
    </p>
  </header>`;
}

export function symbolNames(result: ResultDocument): string[] {
  const names = new Set(result.instruments.map(({ symbol }) => symbol));
  for (const { symbol } of result.chart?.prices ?? []) names.add(symbol);
  for (const { symbol } of result.fills) names.add(symbol);
  return [...names];
}

interface Kpi {
  readonly label: string;
  readonly value: Html;
  readonly note: string;
}

/** No headline figures after an error. */
function failureSection({ failures }: ResultDocument): Html {
  return html`<section class="warnings failed" aria-label="Failed">
    <h2>Failed: the run ended with an error, so no figure of it is a result</h2>
    <ul>
      ${failures.map(({ message }) => html`<li>${message}</li>`)}
    </ul>
  </section>`;
}

export function kpiSection(result: ResultDocument, trades: readonly Trade[]): Html {
  if (result.failures.length > 0) return failureSection(result);
  return html`<section class="kpis dense" aria-label="Key figures">
    ${kpis(result, trades).map(
      ({ label, value, note }) =>
        html`<div class="kpi">
          <h2>${label}</h2>
          <p class="figure">${value}</p>
          <p class="note">${note}</p>
        </div>`,
    )}
  </section>`;
}

function kpis(result: ResultDocument, trades: readonly Trade[]): Kpi[] {
  const { stats, currency } = result;
  const value = (name: string): Html => {
    const row = metricRows.find((metric) => metric.name === name);
    return row === undefined ? html`–` : valueHtml(row, stats[name]);
  };
  const hasTraded = result.fills.length > 0;
  const accountPnl = numberOf(result, 'accountPnl');
  const start = result.equity[0]?.[1] ?? 0;
  return [
    {
      label: `Net P&L, ${currency}`,
      value: hasTraded ? value('netPnl') : html`<span>did not trade</span>`,
      note: `${hasTraded ? `${valueText('percent', stats['returnPct'])} of` : 'on'} ${count(start)} ${currency}; of own trading, net of fees`,
    },
    {
      label: `Holdings, ${currency}`,
      value: value('heldDrift'),
      note:
        accountPnl === null
          ? 'drift of what the account held'
          : `their drift, not of trading; account ${signed(money(accountPnl), accountPnl)}`,
    },
    {
      label: 'CAGR',
      value: value('cagr'),
      note: cagrNote(result),
    },
    { label: 'Max drawdown', value: value('maxDrawdownPct'), note: 'peak-relative, every equity event' },
    { label: 'Sharpe', value: value('sharpe'), note: sharpeNote(result) },
    { label: 'Profit factor', value: value('profitFactor'), note: 'gross profit / gross loss of trades' },
    { label: 'Trades', value: value('trades'), note: `${count(result.fills.length)} fills${rateNote(result)}` },
    { label: 'Worst losing streak', value: value('maxLossStreak'), note: streakNote(trades, currency) },
    { label: 'Time in market', value: value('exposurePct'), note: 'time with a position' },
    {
      label: 'P&L per volume',
      value: value('pnlPerVolumeBps'),
      note: `on ${valueText('money', stats['volume'])} ${currency}`,
    },
    { label: 'Markout 5 s', value: value('markout5s'), note: 'mid move after a fill; + is our way' },
    {
      label: `Fees, ${currency}`,
      value: value('fees'),
      note: `maker share ${valueText('fraction', stats['makerShare'])}`,
    },
  ];
}

/** The costliest losing run, which need not be the longest. */
function streakNote(trades: readonly Trade[], currency: string): string {
  let run = 0;
  let worst = 0;
  for (const { pnl } of trades) {
    if (pnl > 0) run = 0;
    else run += pnl;
    worst = Math.min(worst, run);
  }
  return worst === 0 ? 'no trade lost' : `trades in a row; the costliest run lost ${money(-worst)} ${currency}`;
}

function rateNote(result: ResultDocument): string {
  const winRate = result.stats['winRate'];
  return typeof winRate === 'number' ? `, ${valueText('fraction', winRate)} won` : '';
}

function cagrNote({ stats, conventions, fills }: ResultDocument): string {
  if (fills.length > 0 && stats['cagr'] !== null) return 'a year of 365 days';
  return fills.length > 0 && conventions?.annualised === true
    ? 'equity ended below zero'
    : whyNoSharpe(conventions, fills.length);
}

/** Convention of the Sharpe ratio, or why there is none. */
function sharpeNote({ stats, conventions, fills }: ResultDocument): string {
  if (typeof stats['sharpe'] !== 'number') return whyNoSharpe(conventions, fills.length);
  const interval = stats['sharpeCi95'];
  const range = Array.isArray(interval) ? `, 95 %: ${general(interval[0])} … ${general(interval[1])}` : '';
  if (conventions === undefined) return `annualised${range}`;
  const { samples, sampleMs, periodsPerYear } = conventions;
  const period = sampleMs === 86_400_000 ? 'daily' : duration(sampleMs);
  return `${count(samples)} ${period} returns, √${periodsPerYear}${range}`;
}

/** Default heading: their count. */
export function warningSection(warnings: readonly string[], heading?: string): Html | null {
  if (warnings.length === 0) return null;
  return html`<section class="warnings" aria-label="Warnings">
    <h2>${heading ?? (warnings.length === 1 ? '1 warning' : `${count(warnings.length)} warnings`)}</h2>
    <ul>
      ${warnings.slice(0, 50).map((warning) => html`<li>${warning}</li>`)}
    </ul>
    ${warnings.length > 50 ? html`<p>${count(warnings.length - 50)} more are in the result file.</p>` : null}
  </section>`;
}
