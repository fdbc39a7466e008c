/** A result as one self-contained HTML file, at most about 3 MB of data and 0.3 MB of libraries. */
import type { ResultDocument } from '../../session/result/result.ts';
import { inOrder, pointsOf, seriesOf, type Point } from '../../statistics/series.ts';
import { matchTrades } from '../../statistics/trades.ts';
import { valuesOf } from '../../statistics/valuation.ts';
import { buyAndHold } from './benchmark.ts';
import { calendarOf } from './calendar.ts';
import { thinEquity, type EquityColumns } from './downsample.ts';
import { html } from './html.ts';
import { symbolsOf } from './instruments.ts';
import { orderLines } from './order-lines.ts';
import { pack } from './packed.ts';
import { chartPage } from './page.ts';
import { pnlBars } from './pnl-bars.ts';
import { positionSteps, strategySteps, timeShares, type PositionSteps } from './positions.ts';
import { priceChart, type PriceChart } from './price-bars.ts';
import { calendarSection } from './sections/calendar.ts';
import { equitySection, pnlSection, priceNote, priceSection } from './sections/charts.ts';
import { costSection, markoutSection } from './sections/costs.ts';
import { fillQualitySection } from './sections/fill-quality.ts';
import { groupSection, timeSection } from './sections/groups.ts';
import { headerSection, kpiSection, warningSection } from './sections/header.ts';
import { programSection } from './sections/programs.ts';
import { assumptionSection, parameterSection, runSection } from './sections/provenance.ts';
import { statisticsSection } from './sections/statistics.ts';
import { excursionSection, tradePnlSection } from './sections/trade-shape.ts';
import { noteSection, positionSection, tradeSection } from './sections/trades.ts';
import { ratedFills, tradeGroups, type RatedFill } from './trade-groups.ts';

/** Six points each at most, about 1.1 MB. */
const EQUITY_BUCKETS = 17_000;
const BENCHMARK_BUCKETS = 1000;
/** Those with the most fills. */
const MAX_SYMBOLS = 8;

export function renderReport(result: ResultDocument): string {
  const { currency, period } = result;
  const points = orderedEquity(result);
  const equity = thinEquity(points, EQUITY_BUCKETS);
  const bars = pnlBars(points, period.from, period.to);
  const values = valuesOf(result.fills, symbolsOf(result));
  const trades = matchTrades(values);
  const rated = ratedFills(values);
  const positions = positionSteps(values);
  const prices = priceCharts(result, positions);
  const benchmark = buyAndHold(result);
  const body = html`${headerSection(result)} ${kpiSection(result, trades)} ${warningSection(result.warnings)}
    <main>
      ${equitySection(result, equity.ts.length, benchmark)}
      ${priceSection(prices, result.command === 'run' ? 'real' : 'simulated')} ${pnlSection(bars, currency)}
      ${costSection(result, values)} ${calendarSection(calendarOf(points, period.from, period.to))}
      ${tradePnlSection(result, trades)} ${excursionSection(result, trades)} ${fillQualitySection(rated)}
      ${markoutSection(result)} ${timeSection(timeShares(strategySteps(values), period.from, period.to))}
      ${positionSection(result)} ${groupsOf(rated, trades, currency)} ${statisticsSection(result)}
      ${tradeSection(result, trades)} ${programSection(result)} ${noteSection(result)} ${runSection(result)}
      ${assumptionSection(result)} ${parameterSection(result)}
    </main>`;
  const data = {
    kind: 'result',
    currency,
    equity: packedCurve(equity),
    benchmark: benchmark === null ? null : packedCurve(thinBenchmark(benchmark.ts, benchmark.value)),
    pnl: bars,
    sources: [{ name: result.strategy, isReal: result.command === 'run' }],
    prices: prices.map((chart) => ({ ...chart, note: priceNote(chart) })),
  };
  return chartPage(`${result.strategy} · ${result.command}`, body, data);
}

/** Sorts points that live streams delivered out of order. */
export function orderedEquity(result: ResultDocument): readonly Point[] {
  return pointsOf(inOrder(seriesOf(result.equity)));
}

export function packedCurve({ ts, equity }: EquityColumns): object {
  return { ts: pack(ts, 1), value: pack(equity) };
}

function thinBenchmark(ts: readonly number[], value: readonly number[]): EquityColumns {
  return thinEquity(
    ts.map((at, index) => [at, value[index]!] as const),
    BENCHMARK_BUCKETS,
  );
}

function priceCharts(result: ResultDocument, positions: readonly PositionSteps[]): readonly PriceChart[] {
  const fills = new Map<string, number>();
  for (const { symbol } of result.fills) fills.set(symbol, (fills.get(symbol) ?? 0) + 1);
  return (result.chart?.prices ?? [])
    .toSorted((a, b) => (fills.get(b.symbol) ?? 0) - (fills.get(a.symbol) ?? 0))
    .slice(0, MAX_SYMBOLS)
    .map((price) => {
      const orders = orderLines(result, price.symbol);
      const { fills, notes } = result;
      return priceChart(price, { fills, orders, positions, series: result.chart?.series ?? [], notes });
    });
}

function groupsOf(
  fills: readonly RatedFill[],
  trades: ReturnType<typeof matchTrades>,
  currency: string,
): readonly ReturnType<typeof groupSection>[] {
  return (['tag', 'symbol'] as const).map((by) => groupSection(tradeGroups(fills, trades, by), by, currency));
}
