/** A small picture of a run: equity of own trading against its start, with the largest fall shaded. */
import { thinEquity } from '../../src/research/report/downsample.ts';

const WIDTH = 360;
const HEIGHT = 96;
const LEFT = 6;
const TOP = 16;
const BOTTOM = 14;
const BUCKETS = 60;

type Points = readonly (readonly [ts: number, equity: number])[];

function amountText(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

/** Indices of the highest point before the deepest fall, and of its bottom. */
function deepestFall(made: readonly number[]): readonly [number, number] {
  let peak = 0;
  let deepest: readonly [number, number] = [0, 0];
  for (const [index, value] of made.entries()) {
    if (value > made[peak]!) peak = index;
    if (made[peak]! - value > made[deepest[0]]! - made[deepest[1]]!) deepest = [peak, index];
  }
  return deepest;
}

/** An SVG that reads on a light and on a dark page. `label`: who, where. */
export function pictureOf(points: Points, label: string, currency: string): string {
  const { ts, equity } = thinEquity(points, BUCKETS);
  const start = equity[0] ?? 0;
  const made = equity.map((value) => value - start);
  const [low, high] = [Math.min(0, ...made), Math.max(0, ...made)];
  const [from, to] = [ts[0] ?? 0, ts.at(-1) ?? 1];
  const x = (at: number): string => (LEFT + ((at - from) / Math.max(1, to - from)) * (WIDTH - 2 * LEFT)).toFixed(1);
  const y = (value: number): string =>
    (TOP + ((high - value) / Math.max(1e-9, high - low)) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const line = ts.map((at, index) => `${x(at)},${y(made[index]!)}`).join(' ');
  const [peak, bottom] = deepestFall(made);
  const [left, right] = [x(ts[peak] ?? from), x(ts[bottom] ?? from)];
  const end = made.at(-1) ?? 0;
  const text = 'font-family="sans-serif" font-size="10" fill="#808890"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${label}: ${amountText(end)} ${currency}</title>`,
    `<rect x="${left}" y="${TOP}" width="${(Number(right) - Number(left)).toFixed(1)}" height="${HEIGHT - TOP - BOTTOM}" fill="#d05050" fill-opacity="0.12"/>`,
    `<line x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${y(0)}" y2="${y(0)}" stroke="#808890" stroke-width="0.7" stroke-dasharray="3 3"/>`,
    `<polyline points="${line}" fill="none" stroke="${end < 0 ? '#c04848' : '#2f8f5b'}" stroke-width="1.4" stroke-linejoin="round"/>`,
    `<text x="${LEFT}" y="11" ${text}>${label}</text>`,
    `<text x="${WIDTH - LEFT}" y="11" text-anchor="end" ${text}>${amountText(end)} ${currency}</text>`,
    `<text x="${LEFT}" y="${HEIGHT - 3}" ${text}>highest ${amountText(high)}, lowest ${amountText(low)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}
