/** Sortable trades, open positions and notes. */
import { entryPriceText, heldName } from '../../../session/result/position-text.ts';
import type { ResultDocument } from '../../../session/result/result.ts';
import type { Trade } from '../../../statistics/trades.ts';
import { count, duration, money, signed, timeMs } from '../format.ts';
import { html, type Html } from '../html.ts';
import { toneOf } from '../metric-value.ts';
import { empty } from './charts.ts';

/** Bounds the page; the largest are kept. */
const MAX_TRADES = 2000;
const MAX_NOTES = 40;

export function tradeSection(result: ResultDocument, trades: readonly Trade[]): Html {
  const largest = trades.toSorted((a, b) => Math.abs(b.pnl) - Math.abs(a.pnl)).slice(0, MAX_TRADES);
  const shown = largest.length < trades.length ? `the ${largest.length} largest of ${count(trades.length)}` : 'all';
  return html`<section class="card wide">
    <div class="title">
      <h2>Trades</h2>
      <p>FIFO-matched, P&amp;L in ${result.currency} net of fees${trades.length === 0 ? null : `, ${shown}`}</p>
    </div>
    ${
      trades.length === 0
        ? empty(result.fills.length === 0 ? 'No order was filled.' : 'No position was closed yet.')
        : tradeTable(largest)
    }
  </section>`;
}

function tradeTable(trades: readonly Trade[]): Html {
  const prices = placesOf(trades.flatMap(({ entryPrice, exitPrice }) => [entryPrice, exitPrice]));
  const quantities = placesOf(trades.map(({ quantity }) => quantity));
  const isOfSeveral = new Set(trades.map(({ strategy }) => strategy)).size > 1;
  return html`<div class="scroll">
    <table class="list sortable">
      <thead>
        <tr>
          ${isOfSeveral ? html`<th>Strategy</th>` : null}
          <th>Symbol</th>
          <th>Side</th>
          <th class="n">Quantity</th>
          <th>Entry, UTC</th>
          <th class="n">Entry price</th>
          <th class="n">Exit price</th>
          <th class="n">Held</th>
          <th class="n">Fees</th>
          <th class="n">P&amp;L</th>
        </tr>
      </thead>
      <tbody>
        ${trades.map(
          (trade) =>
            html`<tr>
              ${isOfSeveral ? html`<td>${trade.strategy ?? ''}</td>` : null}
              <td>${trade.symbol}</td>
              <td>${trade.direction}</td>
              <td class="n" data-key="${trade.quantity}">${plain(trade.quantity, quantities)}</td>
              <td data-key="${trade.entryTs}">${timeMs(trade.entryTs)}</td>
              <td class="n" data-key="${trade.entryPrice}">${plain(trade.entryPrice, prices)}</td>
              <td class="n" data-key="${trade.exitPrice}">${plain(trade.exitPrice, prices)}</td>
              <td class="n" data-key="${trade.exitTs - trade.entryTs}">${duration(trade.exitTs - trade.entryTs)}</td>
              <td class="n" data-key="${trade.fees}">${money(trade.fees)}</td>
              <td class="n ${toneOf(trade.pnl)}" data-key="${trade.pnl}">${signed(money(trade.pnl), trade.pnl)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Its own digits, at least `places`. */
function plain(value: number, places = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: 12 });
}

/** Most decimals of the values, for alignment. */
function placesOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.min(12, (String(value).split('.')[1] ?? '').length)), 0);
}

export function positionSection(result: ResultDocument): Html | null {
  const open = result.positions.filter(({ quantity }) => Number(quantity) !== 0);
  if (open.length === 0) return null;
  const isOfSeveral = new Set(open.map(({ strategy }) => strategy)).size > 1;
  return html`<section class="card">
    <div class="title">
      <h2>Open at the end</h2>
      <p>${isOfSeveral ? 'each strategy’s own' : 'the strategy’s own'}; spot: holdings beyond the start</p>
    </div>
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            ${isOfSeveral ? html`<th>Strategy</th>` : null}
            <th>Symbol</th>
            <th class="n">Quantity</th>
            <th class="n">Entry price</th>
          </tr>
        </thead>
        <tbody>
          ${open.map((position) => {
            const entry = entryPriceText(position, result.instruments);
            return html`<tr>
              ${isOfSeveral ? html`<td>${position.strategy ?? ''}</td>` : null}
              <td>${heldName(position)}</td>
              <td class="n">${position.quantity.replace('-', '−')}</td>
              <td class="n">${entry === null ? '–' : plain(Number(entry))}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  </section>`;
}

export function noteSection(result: ResultDocument): Html | null {
  const { notes } = result;
  if (notes.length === 0) return null;
  const shown = notes.slice(0, MAX_NOTES);
  return html`<section class="card">
    <div class="title">
      <h2>Notes</h2>
      <p>
        of the strategy${shown.length < notes.length ? `, the first ${shown.length} of ${count(notes.length)}` : null}
      </p>
    </div>
    <div class="scroll">
      <table class="list">
        <tbody>
          ${shown.map(
            ({ ts, text }) =>
              html`<tr>
                <td class="when">${timeMs(ts)}</td>
                <td class="text">${text.slice(0, 300)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
