/** Distribution of trade P&L, and excursions. */
import type { ResultDocument } from '../../../session/result/result.ts';
import type { Trade } from '../../../statistics/trades.ts';
import { count, general, money } from '../format.ts';
import { histogramOf } from '../histogram.ts';
import { html, type Html } from '../html.ts';
import { empty } from './charts.ts';
import { histogramSvg, round } from './histogram-svg.ts';

export function tradePnlSection({ currency }: ResultDocument, trades: readonly Trade[]): Html {
  const histogram = histogramOf(trades.map(({ pnl }) => pnl));
  return html`<section class="card">
    <div class="title">
      <h2>P&amp;L of trades</h2>
      <p>${currency}, number of trades by their net P&amp;L</p>
    </div>
    ${
      histogram === null
        ? empty('No position was closed.')
        : html`${histogramSvg(histogram, 'P&L of trades', currency, 'above')}
            <p class="note">
              Mean ${money(histogram.mean)} (line), median
              ${money(histogram.median)}${histogram.outside > 0 ? `; ${count(histogram.outside)} beyond the ends are in the last bars` : null}.
            </p>`
    }
  </section>`;
}

const SIZE = { width: 520, height: 200, left: 46, right: 10, top: 10, bottom: 32 } as const;
/** The largest, and an even choice of the others. */
const DOTS_MAX = 1500;

interface Dot {
  readonly adverse: number;
  readonly favourable: number;
  readonly isWon: boolean;
}

export function excursionSection(result: ResultDocument, trades: readonly Trade[]): Html {
  const dots = dotsOf(result, trades);
  return html`<section class="card">
    <div class="title">
      <h2>Excursions of trades</h2>
      <p>${result.currency}, worst (MAE) and best (MFE) unrealised result of each</p>
    </div>
    ${
      dots.length === 0
        ? empty(trades.length === 0 ? 'No position was closed.' : 'This result holds no excursions.')
        : html`${scatter(dots)}
            <p class="legend">
              <span class="buy">won</span><span class="sell">lost</span>${
                dots.length < trades.length
                  ? html`<span class="plain">${count(dots.length)} of ${count(trades.length)}</span>`
                  : null
              }
            </p>`
    }
  </section>`;
}

function dotsOf({ excursions }: ResultDocument, trades: readonly Trade[]): readonly Dot[] {
  // Matched otherwise: they cannot be assigned to trades.
  if (excursions === undefined || excursions.length !== trades.length) return [];
  const dots = trades.flatMap(({ pnl }, index): Dot[] => {
    const excursion = excursions[index] ?? null;
    return excursion === null ? [] : [{ adverse: excursion[0], favourable: excursion[1], isWon: pnl > 0 }];
  });
  if (dots.length <= DOTS_MAX) return dots;
  const sorted = dots.toSorted((a, b) => b.adverse + b.favourable - a.adverse - a.favourable);
  const largest = sorted.slice(0, DOTS_MAX / 3);
  const others = sorted.slice(DOTS_MAX / 3);
  const rest = DOTS_MAX - largest.length;
  return [...largest, ...Array.from({ length: rest }, (_, i) => others[Math.floor((i * others.length) / rest)]!)];
}

function scatter(dots: readonly Dot[]): Html {
  const { width, height, left, right, top, bottom } = SIZE;
  const mostAdverse = dots.reduce((most, { adverse }) => Math.max(most, adverse), 0) || 1;
  const mostFavourable = dots.reduce((most, { favourable }) => Math.max(most, favourable), 0) || 1;
  const x = (value: number): number => round(left + (value / mostAdverse) * (width - left - right));
  const y = (value: number): number => round(height - bottom - (value / mostFavourable) * (height - bottom - top));
  // Dots are zero-length lines with round ends: one path per colour.
  const path = (isWon: boolean): string =>
    dots
      .filter((dot) => dot.isWon === isWon)
      .map(({ adverse, favourable }) => `M${x(adverse)} ${y(favourable)}h0`)
      .join('');
  const even = Math.min(mostAdverse, mostFavourable);
  return html`<svg class="drawing" viewBox="0 0 ${width} ${height}" role="img" aria-label="Excursions of trades">
    <line class="rule" x1="${left}" x2="${left}" y1="${top}" y2="${height - bottom}" />
    <line class="rule" x1="${left}" x2="${width - right}" y1="${height - bottom}" y2="${height - bottom}" />
    <line class="rule" x1="${x(0)}" y1="${y(0)}" x2="${x(even)}" y2="${y(even)}" stroke-dasharray="3 4" />
    <path class="dots loss" d="${path(false)}" />
    <path class="dots gain" d="${path(true)}" />
    <text class="tick" x="${left - 6}" y="${top + 8}" text-anchor="end">${general(mostFavourable)}</text>
    <text class="tick" x="${left - 6}" y="${height - bottom}" text-anchor="end">0</text>
    <text class="tick" x="${left + 6}" y="${top + 8}">best</text>
    <text class="tick" x="${left}" y="${height - bottom + 14}">0</text>
    <text class="tick" x="${width - right}" y="${height - bottom + 14}" text-anchor="end">
      ${`worst −${general(mostAdverse)}`}
    </text>
  </svg>`;
}
