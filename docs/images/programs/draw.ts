/** The life of a program as an SVG that follows the reader's light or dark scheme: price, own orders, triggers, fills, the kill. */
import type { Life } from './lives.ts';
import type { Happened } from './run.ts';

const WIDTH = 760;
const HEIGHT = 260;
const LEFT = 12;
const RIGHT = 74;
const TOP = 34;
const BOTTOM = 28;
/** Share of the range above and below. */
const MARGIN = 0.08;
const MARK = 5;
const TICKS = 5;
const SECONDS_STEP = 10;

const STYLE = `
  text { font: 11px system-ui, sans-serif; fill: #5a6169 }
  .title { font-size: 13px; font-weight: 600; fill: #1c2024 }
  .card { fill: #ffffff; stroke: #d7dbdf }
  .grid { stroke: #eceef0 }
  .price { fill: none; stroke: #889096; stroke-width: 1.5 }
  .second { stroke-dasharray: 5 3 }
  .buy { stroke: #0b7a75; fill: #0b7a75 }
  .sell { stroke: #c2410c; fill: #c2410c }
  .order { stroke-width: 2; stroke-opacity: .55; fill: none }
  .trigger { stroke: #7c3aed; stroke-width: 1.5; stroke-dasharray: 3 3; fill: none }
  .kill { stroke: #b91c1c; stroke-dasharray: 2 3 }
  .killed { fill: #b91c1c }
  @media (prefers-color-scheme: dark) {
    text { fill: #a1a8ae } .title { fill: #eceef0 } .card { fill: #14181b; stroke: #2b3136 } .grid { stroke: #23292e }
    .buy { stroke: #3cc2b8; fill: #3cc2b8 } .sell { stroke: #f59f62; fill: #f59f62 } .trigger { stroke: #b79cf7 }
    .kill { stroke: #f87171 } .killed { fill: #f87171 }
  }`;

interface Scale {
  readonly x: (second: number) => number;
  readonly y: (price: number, symbol: string) => number;
}

/** Two symbols share a scale of change since the start. */
function scaleOf(
  { prices, symbols }: Life,
  { rested, triggers, fills }: Happened,
): Scale & { readonly ticks: readonly string[] } {
  const base = (symbol: string): number => (symbols.length === 1 ? 1 : (prices[0]?.[symbols.indexOf(symbol)] ?? 1));
  const of = (price: number, symbol: string): number => price / base(symbol);
  const [first = ''] = symbols;
  const all = [
    ...prices.flatMap((mids) => mids.map((mid, index) => of(mid, symbols[index] ?? first))),
    ...rested.map(({ price, symbol }) => of(price, symbol)),
    ...triggers.map(([, price]) => of(price, first)),
    ...fills.map(({ price, symbol }) => of(price, symbol)),
  ];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (high - low) * MARGIN;
  const [bottom, top] = [low - room, high + room];
  const inner = HEIGHT - TOP - BOTTOM;
  const text = (value: number): string =>
    symbols.length === 1
      ? value.toLocaleString('en', { maximumFractionDigits: 0 })
      : `${((value - 1) * 1e4).toFixed(1)} bps`;
  const ticks = Array.from({ length: TICKS }, (_, index) => text(bottom + ((top - bottom) * index) / (TICKS - 1)));
  return {
    x: (second) => LEFT + ((WIDTH - LEFT - RIGHT) * second) / prices.length,
    y: (price, symbol) => HEIGHT - BOTTOM - (inner * (of(price, symbol) - bottom)) / (top - bottom),
    ticks,
  };
}

function pathOf(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

function mark(x: number, y: number, side: 'buy' | 'sell', title: string): string {
  const tip = side === 'buy' ? y + 2 : y - 2;
  const foot = side === 'buy' ? tip + 2 * MARK : tip - 2 * MARK;
  const points = [
    [x, tip],
    [x - MARK, foot],
    [x + MARK, foot],
  ].map((point) => point.map((one) => one.toFixed(1)).join(','));
  return `<polygon class="${side}" points="${points.join(' ')}"><title>${title}</title></polygon>`;
}

export function draw(name: string, life: Life, happened: Happened): string {
  const { prices, symbols, killedAt } = life;
  const { rested, triggers, fills, end } = happened;
  const scale = scaleOf(life, happened);
  const { x, y } = scale;
  const [first = ''] = symbols;
  const right = WIDTH - RIGHT;
  const lines = scale.ticks.map((text, index) => {
    const at = HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * index) / (TICKS - 1);
    return `<path class="grid" d="M${LEFT} ${at}H${right}"/><text x="${right + 6}" y="${at + 4}">${text}</text>`;
  });
  const seconds = prices.flatMap((_, second) =>
    second % SECONDS_STEP === 0
      ? [
          `<text x="${x(second).toFixed(1)}" y="${HEIGHT - 10}" text-anchor="${second === 0 ? 'start' : 'middle'}">${second} s</text>`,
        ]
      : [],
  );
  const ways = symbols.map(
    (symbol, index) =>
      `<path class="price${index === 0 ? '' : ' second'}" d="${pathOf(prices.map((mids, second) => [x(second + 0.5), y(mids[index] ?? 0, symbol)]))}"/>`,
  );
  const orders = rested.map(
    ({ from, to, price, side, symbol }) =>
      `<path class="order ${side}" d="M${x(from).toFixed(1)} ${y(price, symbol).toFixed(1)}H${x(to).toFixed(1)}"/>`,
  );
  const waiting = triggers.map(
    ([second, price]) =>
      `<path class="trigger" d="M${x(second).toFixed(1)} ${y(price, first).toFixed(1)}H${x(second + 1).toFixed(1)}"/>`,
  );
  const marks = fills.map(({ second, price, side, quantity, symbol }) =>
    mark(x(second), y(price, symbol), side, `${side} ${quantity} ${symbol} at ${price}`),
  );
  const killX = x(killedAt + 0.5).toFixed(1);
  const legend = symbols.length === 1 ? first : `${first} solid, ${symbols[1]} dashed, change since the start`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="The life of ${name}: ${end}">`,
    `<style>${STYLE}</style>`,
    `<rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="6"/>`,
    `<text class="title" x="${LEFT}" y="21">${name}</text><text x="${LEFT + 8 + name.length * 8}" y="21">${legend}; ${end}</text>`,
    ...lines,
    ...seconds,
    `<path class="kill" d="M${killX} ${TOP}V${HEIGHT - BOTTOM}"/><text class="killed" x="${killX}" y="${HEIGHT - BOTTOM - 4}" dx="4">kill -9</text>`,
    ...ways,
    ...waiting,
    ...orders,
    ...marks,
    '</svg>',
    '',
  ].join('\n');
}
