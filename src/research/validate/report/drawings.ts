/** Drawings of a validation. */
import { general, money } from '../../report/format.ts';
import { html, type Html } from '../../report/html.ts';
import type { BootstrapBands } from '../../../statistics/overfitting/bootstrap-bands.ts';
import type { NamedFold, OverfittingOutcome } from '../result.ts';

const WIDTH = 1120;
const SIDE = 64;
/** Widest label character. */
const CHARACTER = 7;

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Growth over the run: 5 to 95 %, 25 to 75 % and median. */
export function fan({ fan: stops }: BootstrapBands): Html {
  const height = 260;
  const low = Math.min(1, ...stops.map(({ band }) => band[0]));
  const high = Math.max(1, ...stops.map(({ band }) => band[4]));
  const last = stops.at(-1)?.period ?? 1;
  const percent = (level: number): string => `${money((level - 1) * 100)} %`;
  // Room for long labels of small returns.
  const left = Math.max(SIDE, 10 + CHARACTER * Math.max(percent(low).length, percent(high).length));
  const x = (period: number): number => round(left + (period / last) * (WIDTH - SIDE - left));
  const y = (level: number): number => round(height - 24 - ((level - low) / (high - low || 1)) * (height - 40));
  const points = [{ period: 0, band: [1, 1, 1, 1, 1] as const }, ...stops];
  const area = (from: number, to: number): string =>
    [
      ...points.map(({ period, band }) => `${x(period)},${y(band[to]!)}`),
      ...points.toReversed().map(({ period, band }) => `${x(period)},${y(band[from]!)}`),
    ].join(' ');
  return html`<svg class="parallel" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Bands of growth">
    <polygon points="${area(0, 4)}" class="band wide-band" />
    <polygon points="${area(1, 3)}" class="band" />
    <polyline
      points="${points.map(({ period, band }) => `${x(period)},${y(band[2])}`).join(' ')}"
      fill="none"
      class="best"
    />
    <line x1="${left}" x2="${WIDTH - SIDE}" y1="${y(1)}" y2="${y(1)}" class="rule" />
    <text x="${left - 6}" y="${y(high) + 4}" class="tick" text-anchor="end">${percent(high)}</text>
    <text x="${left - 6}" y="${y(low)}" class="tick" text-anchor="end">${percent(low)}</text>
    <text x="${WIDTH - SIDE}" y="${height - 6}" class="tick" text-anchor="end">${`${last} periods`}</text>
  </svg>`;
}

/** A pair of bars a fold: training and test. */
export function foldBars({ folds }: { readonly folds: readonly NamedFold[] }): Html {
  const height = 200;
  const values = folds.flatMap(({ trainSharpe, testSharpe }) => [trainSharpe, testSharpe]);
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  const y = (value: number): number => round(16 + ((high - value) / (high - low || 1)) * (height - 40));
  const step = (WIDTH - 2 * SIDE) / folds.length;
  const bar = (left: number, width: number, value: number, name: string): Html =>
    html`<rect
      x="${round(left)}"
      y="${Math.min(y(value), y(0))}"
      width="${round(width)}"
      height="${round(Math.abs(y(value) - y(0)))}"
      class="${name}"
    >
      <title>${general(value)}</title>
    </rect>`;
  return html`<svg class="parallel" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Folds">
    ${folds.map(({ trainSharpe, testSharpe }, fold) => {
      const left = SIDE + fold * step + step * 0.15;
      return html`${bar(left, step * 0.32, trainSharpe, 'quiet')}
        ${bar(left + step * 0.36, step * 0.32, testSharpe, testSharpe < 0 ? 'lost' : 'bar')}
        <text x="${round(left + step * 0.34)}" y="${height - 6}" class="tick" text-anchor="middle"
          >${`fold ${fold + 1}`}</text
        >`;
    })}
    <line x1="${SIDE}" x2="${WIDTH - SIDE}" y1="${y(0)}" y2="${y(0)}" class="rule" />
    <text x="${SIDE - 6}" y="${y(high) + 4}" class="tick" text-anchor="end">${general(high)}</text>
    <text x="${SIDE - 6}" y="${y(low)}" class="tick" text-anchor="end">${general(low)}</text>
  </svg>`;
}

export function logits({ histogram }: OverfittingOutcome): Html {
  const [width, height] = [540, 220];
  const { low, high, counts } = histogram;
  const most = Math.max(...counts);
  const step = (width - 40) / counts.length;
  const middle = (index: number): number => low + ((index + 0.5) / counts.length) * (high - low);
  return html`<svg class="parallel" viewBox="0 0 ${width} ${height}" role="img" aria-label="Logits of the splits">
    ${counts.map((count, index) => {
      const size = (count / most) * (height - 44);
      return html`<rect
        x="${round(20 + index * step)}"
        y="${round(height - 26 - size)}"
        width="${round(step - 1)}"
        height="${round(size)}"
        class="${middle(index) <= 0 ? 'lost' : 'bar'}"
      />`;
    })}
    <text x="20" y="${height - 8}" class="tick">${general(low)}</text>
    <text x="${width - 20}" y="${height - 8}" class="tick" text-anchor="end">${general(high)}</text>
  </svg>`;
}

export function cloud({ cloud: points }: OverfittingOutcome): Html {
  const [width, height] = [540, 220];
  const range = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)];
  const [xLow, xHigh] = range(points.map(([x]) => x));
  const [yLow, yHigh] = range([0, ...points.map(([, y]) => y)]);
  const x = (value: number): number => round(46 + ((value - xLow) / (xHigh - xLow || 1)) * (width - 66));
  const y = (value: number): number => round(height - 26 - ((value - yLow) / (yHigh - yLow || 1)) * (height - 44));
  return html`<svg class="parallel" viewBox="0 0 ${width} ${height}" role="img" aria-label="In and out of sample">
    <line x1="46" x2="${width - 20}" y1="${y(0)}" y2="${y(0)}" class="rule" />
    ${points.map(([a, b]) => html`<circle cx="${x(a)}" cy="${y(b)}" r="1.8" class="${b < 0 ? 'lost' : 'bar'}" />`)}
    <text x="42" y="${y(yHigh) + 4}" class="tick" text-anchor="end">${general(yHigh)}</text>
    <text x="42" y="${y(yLow)}" class="tick" text-anchor="end">${general(yLow)}</text>
    <text x="${width - 20}" y="${height - 8}" class="tick" text-anchor="end">
      ${`in sample up to ${general(xHigh)}`}
    </text>
  </svg>`;
}
