/** The places that `web/report/` draws into, with what a reader sees when there is nothing to draw. */
import type { ResultDocument } from '../../../session/result.ts';
import { count, duration } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { PnlBars } from '../pnl-bars.ts';
import type { PriceChart } from '../price-bars.ts';

export function equitySection(result: ResultDocument, drawn: number): Html {
  const total = result.equity.length;
  const thinned = drawn < total ? `${count(drawn)} of ${count(total)} points, extremes kept` : `${count(total)} points`;
  return html`<section class="card wide">
    <div class="title">
      <h2>Equity</h2>
      <p>${result.currency}, marked to market, net of fees and funding · ${thinned}</p>
    </div>
    ${
      total < 2
        ? empty('The equity did not change: there is nothing to draw.')
        : html`<div id="equity" class="plot"></div>
            <div class="title sub">
              <h3>Drawdown</h3>
              <p>% below the highest equity so far</p>
            </div>
            <div id="drawdown" class="plot"></div>`
    }
  </section>`;
}

export function priceSection(charts: readonly PriceChart[]): Html {
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
            ${
              charts.every(({ fillCount }) => fillCount === 0)
                ? html`<p class="note">No order was filled.</p>`
                : html`<p class="legend"><span class="buy">bought</span><span class="sell">sold</span></p>`
            }`
    }
  </section>`;
}

export function priceNote({ symbol, intervalMs, style, fillCount }: PriceChart): string {
  const bars = style === 'candles' ? `${duration(intervalMs)} candles` : `mid every ${duration(intervalMs)}`;
  return `${symbol} · ${bars} · ${count(fillCount)} ${fillCount === 1 ? 'fill' : 'fills'} · UTC`;
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
