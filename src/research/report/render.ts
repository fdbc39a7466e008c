/**
 * One self-contained HTML file from a result: numbers and tables are in the markup, charts are drawn by inlined scripts
 * from an inlined data block, and nothing is loaded from anywhere. The policy in the page lets only these very scripts
 * and styles run (by hash), so that text of a user could not even if it slipped through the escaping.
 */
import { createHash } from 'node:crypto';
import type { ResultDocument } from '../../session/result.ts';
import { inOrder, pointsOf, seriesOf } from '../../statistics/series.ts';
import { reportAssets } from './assets.ts';
import { thinEquity } from './downsample.ts';
import { html, jsonBlock, raw, type Html } from './html.ts';
import { pnlBars } from './pnl-bars.ts';
import { priceChart } from './price-bars.ts';
import { equitySection, pnlSection, priceNote, priceSection } from './sections/charts.ts';
import { costSection, markoutSection } from './sections/costs.ts';
import { headerSection, kpiSection, warningSection } from './sections/header.ts';
import { assumptionSection, parameterSection, runSection } from './sections/provenance.ts';
import { statisticsSection } from './sections/statistics.ts';
import { noteSection, positionSection, tradeSection } from './sections/trades.ts';

/** Buckets of the equity curve; with five points each about 130 kB. */
const EQUITY_BUCKETS = 1000;
/** Price charts of this many symbols, those with the most fills. */
const MAX_SYMBOLS = 8;

/** The whole document. About 0.3 MB of libraries, at most about 1 MB of data. */
export function renderReport(result: ResultDocument): string {
  // A chart cannot go back in time, and a file may (live streams overtake each other).
  const points = pointsOf(inOrder(seriesOf(result.equity)));
  const equity = thinEquity(points, EQUITY_BUCKETS);
  const bars = pnlBars(points, result.period.from, result.period.to);
  const prices = (result.chart?.prices ?? [])
    .map((price) => priceChart(price, result.fills))
    .toSorted((a, b) => b.fillCount - a.fillCount)
    .slice(0, MAX_SYMBOLS);
  const body = html`${headerSection(result)} ${kpiSection(result)} ${warningSection(result.warnings)}
    <main>
      ${equitySection(result, equity.ts.length)} ${priceSection(prices)} ${pnlSection(bars, result.currency)}
      ${costSection(result)} ${markoutSection(result)} ${positionSection(result)} ${statisticsSection(result)}
      ${tradeSection(result)} ${noteSection(result)} ${runSection(result)} ${assumptionSection(result)}
      ${parameterSection(result)}
    </main>`;
  const data = {
    currency: result.currency,
    equity,
    pnl: bars,
    prices: prices.map((chart) => ({ ...chart, note: priceNote(chart) })),
  };
  return page(`${result.strategy} · ${result.command}`, body, data);
}

function page(title: string, body: Html, data: unknown): string {
  const { styles, scripts } = reportAssets();
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashSource).join(' ')}`,
    `style-src ${hashSource(styles)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${raw(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${block('style', styles)}
      </head>
      <body>
        ${body}
        <footer>
          <p>
            Made by tidewire. Definitions of every number: docs/metrics.md. Price chart:
            <a href="https://www.tradingview.com/" rel="noreferrer noopener">TradingView Lightweight Charts™</a>, ©
            TradingView, Inc.; other charts: uPlot. Nothing on this page is loaded from the network.
          </p>
        </footer>
        <noscript><p class="empty">The charts need JavaScript; every number above does not.</p></noscript>
        ${block('script', jsonBlock(data), ' type="application/json" id="data"')}
        ${scripts.map((script) => block('script', script))}
      </body>
    </html> `.text;
}

/** Not a template: a formatter may add blanks to one, and the hash is of the very text. */
function block(tag: 'style' | 'script', content: string, attributes = ''): Html {
  return raw(`<${tag}${attributes}>${content}</${tag}>\n`);
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
