/** Several results in one self-contained page. */
import type { ResultDocument } from '../../../session/result/result.ts';
import { thinEquity } from '../downsample.ts';
import { card } from '../document.ts';
import { count, duration, time } from '../format.ts';
import { html, type Html } from '../html.ts';
import { valueText } from '../metric-value.ts';
import { chartPage } from '../page.ts';
import { priceChart, type PriceChart } from '../price-bars.ts';
import { orderedEquity, packedCurve } from '../render.ts';
import { priceNote, priceSection } from '../sections/charts.ts';
import { warningSection } from '../sections/header.ts';
import { caveatsOf, lettered, shareCalendar, type Compared, type NamedResult } from './compared.ts';
import { differenceTable, fillTable, statisticTable } from './tables.ts';

/** Distinguishable colours. */
export const COMPARED_MAX = 8;
/** Of all curves together. */
const BUCKETS = 6000;
const SYMBOLS_MAX = 4;

/** Two to `COMPARED_MAX` results. */
export function renderComparison(results: readonly NamedResult[]): string {
  const compared = lettered(results);
  const isElapsed = !shareCalendar(compared);
  const prices = isElapsed ? [] : pricesOf(compared);
  const names = [...new Set(compared.map(({ result }) => result.strategy))];
  const body = html`<header>
      <p class="kind">Comparison of ${compared.length} results</p>
      <h1>${names.slice(0, 4).join(' · ')}</h1>
    </header>
    ${card('Compared', 'differences in the tables are from A', resultTable(compared))}
    ${warningSection(caveatsOf(compared), 'Before comparing')}
    <main class="compared">
      ${curveSection(compared, isElapsed)}
      ${prices.length === 0 ? null : html`${priceSection(prices, 'mixed')} ${sourceLegend(compared)}`}
      ${card('Statistics', 'below each value its difference from A', statisticTable(compared))}
      ${card('Fills', 'numbers of fills and orders', fillTable(compared))}
      ${card('What differs', 'parameters, assumptions and facts that are not the same in all', differenceTable(compared))}
    </main>`;
  const buckets = Math.floor(BUCKETS / compared.length);
  const data = {
    kind: 'comparison',
    isElapsed,
    curves: compared.map(({ letter, result }) => ({
      letter,
      ...packedCurve(thinEquity(rebasedTimes(result, isElapsed), buckets)),
    })),
    sources: compared.map(({ letter, result }) => ({ name: letter, isReal: result.command === 'run' })),
    prices: prices.map((chart) => ({ ...chart, note: priceNote(chart) })),
  };
  return chartPage(`${names[0] ?? ''} · comparison`, body, data);
}

function rebasedTimes(result: ResultDocument, isElapsed: boolean): readonly (readonly [number, number])[] {
  const points = orderedEquity(result);
  return isElapsed ? points.map(([ts, value]) => [ts - result.period.from, value] as const) : points;
}

function resultTable(compared: readonly Compared[]): Html {
  return html`<div class="scroll">
    <table class="list">
      <thead>
        <tr>
          <th></th>
          <th>Result</th>
          <th>Strategy</th>
          <th>Kind</th>
          <th>From, UTC</th>
          <th>Length</th>
          <th class="n">Return</th>
          <th class="n">Max drawdown</th>
          <th class="n">Sharpe</th>
          <th class="n">Fills</th>
          <th class="n">Net P&amp;L</th>
        </tr>
      </thead>
      <tbody>
        ${compared.map(
          ({ letter, name, result }, index) =>
            html`<tr>
              <td><span class="key k${index}">${letter}</span></td>
              <td class="file">${name}</td>
              <td class="file">${result.strategy}</td>
              <td>${result.command === 'run' ? 'live' : result.command}</td>
              <td>${time(result.period.from)}</td>
              <td>${duration(result.period.to - result.period.from)}</td>
              ${headlineCells(result)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** No headline figures after an error or without trades. */
function headlineCells({ failures, fills, stats, currency }: ResultDocument): Html {
  const none = failures.length > 0 ? 'failed' : fills.length === 0 ? 'did not trade' : null;
  const cell = (text: string): Html => html`<td class="n">${none === null ? text : '–'}</td>`;
  return html`${cell(valueText('percent', stats['returnPct']))} ${cell(valueText('percent', stats['maxDrawdownPct']))}
    ${cell(valueText('ratio', stats['sharpe']))}
    <td class="n">${count(fills.length)}</td>
    <td class="n">${none ?? `${valueText('money', stats['netPnl'])} ${currency}`}</td>`;
}

function curveSection(compared: readonly Compared[], isElapsed: boolean): Html {
  const content = html`<div id="equity" class="plot"></div>
    <div class="title sub">
      <h3>Difference from A</h3>
      <p>percentage points</p>
    </div>
    <div id="gap" class="plot"></div>
    <div class="title sub">
      <h3>Under water</h3>
      <p>% below the highest equity so far</p>
    </div>
    <div id="drawdown" class="plot"></div>
    <p class="legend">
      ${compared.map(({ letter, result }, index) => html`<span class="plain"><span class="key k${index}">${letter}</span> ${result.strategy}</span>`)}
      <span class="plain hint">drag to zoom in, double-click to zoom out</span>
    </p>`;
  const sentence = `% of each starting equity, of own trading, net of fees and funding${isElapsed ? ', over the time since each start' : ', UTC'}`;
  return card('Equity', sentence, content);
}

/** For symbols that several traded: prices of the first, fills of all. */
function pricesOf(compared: readonly Compared[]): readonly PriceChart[] {
  const traders = new Map<string, number>();
  for (const { result } of compared) {
    for (const symbol of new Set(result.fills.map((fill) => fill.symbol))) {
      traders.set(symbol, (traders.get(symbol) ?? 0) + 1);
    }
  }
  const prices = compared.flatMap(({ result }) => result.chart?.prices ?? []);
  const symbols = [...traders].filter(([, number]) => number > 1).map(([symbol]) => symbol);
  return symbols.slice(0, SYMBOLS_MAX).flatMap((symbol) => {
    const price = prices.find((each) => each.symbol === symbol);
    if (price === undefined) return [];
    const charts = compared.map(({ result }) => priceChart(price, { fills: result.fills }));
    const fills = charts.flatMap((chart, source) => chart.fills.map((fill) => ({ ...fill, source })));
    const fillCount = charts.reduce((sum, chart) => sum + chart.fillCount, 0);
    return [{ ...charts[0]!, fills, fillCount }];
  });
}

const SHAPES = ['triangle', 'circle', 'diamond', 'square'] as const;

function sourceLegend(compared: readonly Compared[]): Html {
  const texts = compared.map(({ letter, result }, index) => {
    const real = result.command === 'run';
    return `${letter} ${real ? 'solid' : 'hollow'} ${SHAPES[index % SHAPES.length]}${real ? ', real' : ', simulated'}`;
  });
  return html`<p class="note wide">Fills: ${texts.join('; ')}.</p>`;
}
