/** A histogram as SVG in gain and loss colours. */
import { count, fixed, general } from '../format.ts';
import type { Histogram } from '../histogram.ts';
import { html, type Html } from '../html.ts';

const WIDTH = 520;
const HEIGHT = 200;
const LEFT = 40;
const RIGHT = 8;
const BOTTOM = 20;
const TOP = 8;

/** `isGood`: the good side of zero; slippage is bad above it. */
export function histogramSvg(histogram: Histogram, name: string, unit: string, isGood: 'above' | 'below'): Html {
  const { bins } = histogram;
  const low = bins[0]!.from;
  const high = bins[bins.length - 1]!.to;
  const most = bins.reduce((top, bin) => Math.max(top, bin.count), 1);
  const x = (value: number): number => round(LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT));
  const y = (number: number): number => round(HEIGHT - BOTTOM - (number / most) * (HEIGHT - BOTTOM - TOP));
  const edge = (value: number): string => fixed(value, edgePlaces(bins[0]!));
  const bars = bins
    .filter((bin) => bin.count > 0)
    .map((bin) => {
      const isAbove = bin.from + bin.to > 0;
      return html`<rect
        class="${isAbove === (isGood === 'above') ? 'gain' : 'loss'}"
        x="${x(bin.from)}"
        width="${round(Math.max(1, x(bin.to) - x(bin.from) - 1))}"
        y="${y(bin.count)}"
        height="${round(HEIGHT - BOTTOM - y(bin.count))}"
      >
        <title>${`${edge(bin.from)} to ${edge(bin.to)} ${unit}: ${count(bin.count)}`}</title>
      </rect>`;
    });
  const ticks = [...new Set([low, ...(low < 0 && high > 0 ? [0] : []), high])];
  return html`<svg class="drawing" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}">
    ${[0, most].map(
      (level) =>
        html`<line class="rule" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(level)}" y2="${y(level)}" />
          <text class="tick" x="${LEFT - 6}" y="${y(level) + 4}" text-anchor="end">${count(level)}</text>`,
    )}
    ${bars}
    ${
      histogram.mean >= low && histogram.mean <= high
        ? html`<line
            class="mean"
            x1="${x(histogram.mean)}"
            x2="${x(histogram.mean)}"
            y1="${TOP}"
            y2="${HEIGHT - BOTTOM}"
          >
            <title>${`mean ${general(histogram.mean)} ${unit}`}</title>
          </line>`
        : null
    }
    ${ticks.map(
      (tick, index) =>
        html`<text
          class="tick"
          x="${x(tick)}"
          y="${HEIGHT - 5}"
          text-anchor="${index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle'}"
          >${edge(tick)}</text
        >`,
    )}
  </svg>`;
}

/** Places that keep the edges exact: the bin width has one digit. */
function edgePlaces({ from, to }: Histogram['bins'][number]): number {
  return Math.max(0, -Math.floor(Math.log10((to - from) * 1.000001)));
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
