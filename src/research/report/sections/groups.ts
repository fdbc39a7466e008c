/** Tables by tag and symbol, and time held by symbol. */
import { count, fixed, money, signed } from '../format.ts';
import { html, type Html } from '../html.ts';
import { toneOf, valueText } from '../metric-value.ts';
import type { TimeShares } from '../positions.ts';
import type { GroupKey, TradeGroup } from '../trade-groups.ts';

const ROWS_MAX = 50;

/** Null by symbol when there is one. */
export function groupSection(groups: readonly TradeGroup[], by: GroupKey, currency: string): Html | null {
  if (groups.length === 0 || (by === 'symbol' && groups.length === 1)) return null;
  const shown = groups.slice(0, ROWS_MAX);
  return html`<section class="card wide">
    <div class="title">
      <h2>${by === 'tag' ? 'By tag' : 'By symbol'}</h2>
      <p>
        ${currency}; a trade belongs to
        ${by === 'tag' ? 'the tag that opened it' : 'its symbol'}${
          shown.length < groups.length ? `; the first ${shown.length} of ${count(groups.length)} by volume` : null
        }
      </p>
    </div>
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            <th>${by === 'tag' ? 'Tag' : 'Symbol'}</th>
            <th class="n">Fills</th>
            <th class="n">Volume</th>
            <th class="n">Maker</th>
            <th class="n">Fees</th>
            <th class="n">Slippage</th>
            <th class="n">Markout 5 s</th>
            <th class="n">Trades</th>
            <th class="n">Won</th>
            <th class="n">P&amp;L</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (group) =>
              html`<tr>
                <td>${group.name === '' ? 'none' : group.name}</td>
                <td class="n">${count(group.fills)}</td>
                <td class="n">${money(group.volume)}</td>
                <td class="n">${valueText('fraction', group.makerShare)}</td>
                <td class="n">${money(group.fees)}</td>
                <td class="n">${valueText('bps', group.slippageBps)}</td>
                <td class="n">${valueText('bps', group.markout5sBps)}</td>
                <td class="n">${count(group.trades)}</td>
                <td class="n">${valueText('fraction', group.winRate)}</td>
                <td class="n ${toneOf(group.pnl)}">${signed(money(group.pnl), group.pnl)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

export function timeSection(shares: readonly TimeShares[]): Html | null {
  if (shares.length === 0) return null;
  return html`<section class="card">
    <div class="title">
      <h2>Time in market</h2>
      <p>share of the period with a position</p>
    </div>
    <table class="bars shares">
      <tbody>
        ${shares.slice(0, ROWS_MAX).map(({ symbol, strategy, long, short, flat }) => {
          const text = `long ${fixed(long * 100, 1)} %, short ${fixed(short * 100, 1)} %, none ${fixed(flat * 100, 1)} %`;
          return html`<tr>
            <th scope="row">${strategy === undefined ? symbol : `${symbol} of ${strategy}`}<small>${text}</small></th>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${text}">
                <rect class="none" x="0" width="100" y="2" height="6" />
                <rect class="gain" x="0" width="${long * 100}" y="2" height="6" />
                <rect class="sell" x="${long * 100}" width="${short * 100}" y="2" height="6" />
              </svg>
            </td>
            <td>${fixed((long + short) * 100, 1)} %</td>
          </tr>`;
        })}
      </tbody>
    </table>
    <p class="legend"><span class="buy">long</span><span class="sell">short</span></p>
  </section>`;
}
