/** Slippage against the decision mid, and markouts. */
import { count, general } from '../format.ts';
import { histogramOf } from '../histogram.ts';
import { html, type Html } from '../html.ts';
import type { RatedFill } from '../trade-groups.ts';
import { empty } from './charts.ts';
import { histogramSvg } from './histogram-svg.ts';

interface Quality {
  readonly title: string;
  readonly note: string;
  readonly isGood: 'above' | 'below';
  readonly bps: readonly number[];
}

export function fillQualitySection(fills: readonly RatedFill[]): Html {
  const moves = fills.map(({ quality }) => quality);
  const known = (list: readonly (number | null | undefined)[]): number[] =>
    list.filter((value) => value !== null && value !== undefined);
  const slippage: Quality = {
    title: 'Slippage',
    note: 'price against the mid at the decision; right of zero is worse',
    isGood: 'below',
    bps: known(moves.map(({ slippageBps }) => slippageBps)),
  };
  const markouts = ['1 s', '5 s', '30 s'].map((delay, index): Quality => ({
    title: `Markout ${delay}`,
    note: 'move of the mid after the fill; left of zero it was picked off',
    isGood: 'above',
    bps: known(moves.map(({ markoutsBps }) => markoutsBps[index])),
  }));
  const shown = [slippage, ...markouts].filter(({ bps }) => bps.length > 0);
  return html`<section class="card wide">
    <div class="title">
      <h2>Fill quality</h2>
      <p>bps, number of fills; the line is the plain mean</p>
    </div>
    ${
      shown.length === 0
        ? empty(fills.length === 0 ? 'No order was filled.' : 'The mids around the fills are not known.')
        : html`<div class="maps quality">${shown.map((quality) => drawing(quality, fills.length))}</div>`
    }
  </section>`;
}

function drawing({ title, note, isGood, bps }: Quality, fills: number): Html {
  const histogram = histogramOf(bps)!;
  const covered = bps.length < fills ? `${count(bps.length)} of ${count(fills)} fills` : `${count(fills)} fills`;
  return html`<figure>
    <h3>${title} <span>mean ${general(histogram.mean)}, median ${general(histogram.median)}, ${covered}</span></h3>
    ${histogramSvg(histogram, title, 'bps', isGood)}
    <p class="note">${note}</p>
  </figure>`;
}
