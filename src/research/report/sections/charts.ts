/** Chart containers of `web/report/`, with text where there is no data. */
import type { ResultDocument } from '../../../session/result/result.ts';
import { count, duration } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { Benchmark } from '../benchmark.ts';
import type { PnlBars } from '../pnl-bars.ts';
import type { PriceChart } from '../price-bars.ts';

export function equitySection(result: ResultDocument, drawn: number, benchmark: Benchmark | null): Html {
  const total = result.equity.length;
  const thinned = drawn < total ? `${count(drawn)} of ${count(total)} points, extremes kept` : `${count(total)} points`;
  return html`<section class="card wide">
    <div class="title">
      <h2>Equity</h2>
      <p>${result.currency}, of own trading, marked to market, net of fees and funding · ${thinned}</p>
    </div>
    ${
      total < 2
        ? empty('The equity did not change: there is nothing to draw.')
        : html`<div id="equity" class="plot"></div>
            <p class="legend">
              <span class="buy">equity</span><span class="under">below its peak</span>${
                benchmark === null
                  ? null
                  : html`<label class="hold"
                      ><input type="checkbox" id="show-hold" checked />buy and hold
                      ${benchmark.symbols.slice(0, 4).join(', ')}, without costs</label
                    >`
              }<span class="plain hint">drag to zoom in, double-click to zoom out</span>
            </p>
            <div class="title sub">
              <h3>Under water</h3>
              <p>% below the highest equity so far</p>
            </div>
            <div id="drawdown" class="plot"></div>`
    }
  </section>`;
}

export function priceSection(charts: readonly PriceChart[], of: 'real' | 'simulated' | 'mixed'): Html {
  const mark = of === 'mixed' ? 'mark hollow' : `mark shape${of === 'simulated' ? ' hollow' : ''}`;
  const first = charts[0];
  return html`<section class="card wide">
    <div class="title">
      <h2>Price and fills</h2>
      <p id="price-note">${first === undefined ? null : priceNote(first)}</p>
      ${
        charts.length < 2
          ? null
          : html`<label class="select"
              >Symbol
              <select id="price-symbol">
                ${charts.map(({ symbol }, index) => html`<option value="${index}">${symbol}</option>`)}
              </select></label
            >`
      }
    </div>
    ${
      first === undefined || first.time.length === 0
        ? empty('This result holds no prices. Results of `backtest` and `paper` do.')
        : html`<div id="price" class="plot"></div>
            <p class="legend">
              ${
                charts.every(({ fillCount }) => fillCount === 0)
                  ? html`<span class="plain">No order was filled.</span>`
                  : html`<span class="buy ${mark}">bought</span><span class="sell ${mark}">sold</span
                      ><span class="plain">${FILLS[of]}</span>${
                        charts.some(({ fillCount }) => fillCount > DENSE)
                          ? html`<span class="plain">a number counts fills close together: zoom in for each</span>`
                          : null
                      }`
              }${
                charts.some(({ orderCount }) => orderCount > 0)
                  ? html`<span class="order">order in the book</span>`
                  : null
              }${plotLegend(charts)}${charts.some(({ position }) => position.length > 0) ? html`<span class="band">position</span>` : null}
            </p>`
    }
  </section>`;
}

function plotLegend(charts: readonly PriceChart[]): Html {
  const names = new Map(charts.flatMap(({ plots }) => plots.map(({ name, colour }) => [name, colour] as const)));
  return html`${[...names].map(([name, colour]) => html`<span class="line c${colour}">${name}</span>`)}${
    charts.some(({ notes }) => notes.length > 0) ? html`<span class="flag">note of the strategy</span>` : null
  }`;
}

/** Fills of one symbol drawn as numbers (`web/report/fills-layer.js`). */
const DENSE = 40;

const FILLS = {
  real: 'fills of the exchange',
  simulated: 'simulated fills are hollow',
  mixed: 'real fills are solid, simulated ones hollow',
} as const;

export function priceNote({ symbol, intervalMs, style, fills, fillCount, orders, orderCount }: PriceChart): string {
  const parts = [
    symbol,
    style === 'candles' ? `${duration(intervalMs)} candles` : `mid every ${duration(intervalMs)}`,
    `${count(fillCount)} ${fillCount === 1 ? 'fill' : 'fills'}${fills.length < fillCount ? ' at their average of each bar' : ''}`,
  ];
  if (orders.length < orderCount) parts.push(`${count(orders.length)} of ${count(orderCount)} orders`);
  return `${parts.join(' · ')} · UTC`;
}

export function pnlSection(bars: PnlBars, currency: string): Html {
  return html`<section class="card">
    <div class="title">
      <h2>P&amp;L by ${bars.period}</h2>
      <p>${currency}, change of equity${bars.period === 'day' ? ', UTC days' : ', UTC'}</p>
    </div>
    ${
      bars.pnl.every((value) => value === 0)
        ? empty(`No ${bars.period} changed the equity.`)
        : html`<div id="pnl" class="plot"></div>`
    }
  </section>`;
}

export function empty(text: string): Html {
  return html`<p class="empty">${text}</p>`;
}
