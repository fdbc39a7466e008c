/** The chart of prices of one symbol: candles, the heat of the book behind, own orders, programs and fills in front. */
import {
  CandlestickSeries,
  createChart,
  CrosshairMode,
  type CandlestickData,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { clock, clockMs, shifted, stampSeconds } from '../ui/time.ts';
import type { Candle, FillRow, HeatColumn, OrderRow, ProgramRow } from '../wire/types.ts';
import type { Axis } from './axis.ts';
import { heatDraw } from './heat.ts';
import { Layer } from './layer.ts';
import { fillsDraw, ordersDraw, zonesDraw, type MarksInput } from './marks.ts';
import { palette, type Palette } from './palette.ts';

export interface Marks {
  readonly orders: readonly OrderRow[];
  readonly programs: readonly ProgramRow[];
  readonly fills: readonly FillRow[];
  readonly heat: readonly HeatColumn[];
}

/** At first: no thinner than this, and no fewer than so many, so that a few are not as wide as a hand. */
const BAR_PX = 10;
const BARS_MIN = 45;

export class PriceChart {
  readonly #chart: IChartApi;
  readonly #series: ISeriesApi<'Candlestick'>;
  readonly #layers: readonly Layer[];
  readonly #intervalMs: number;
  readonly #observer: ResizeObserver;
  #colours: Palette = palette();
  #times: number[] = [];
  #last: Candle | undefined;
  #marks: Marks = { orders: [], programs: [], fills: [], heat: [] };

  constructor(box: HTMLElement, decimals: number, intervalMs: number, onPoint: (text: string | null) => void) {
    this.#intervalMs = intervalMs;
    this.#chart = createChart(box, this.#options(box));
    this.#series = this.#chart.addSeries(CandlestickSeries, {
      ...this.#candleColours(),
      priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals },
      priceLineWidth: 1,
      priceLineColor: this.#colours.muted,
    });
    const marks = (): MarksInput | null => this.#input();
    this.#layers = [
      new Layer(
        'bottom',
        heatDraw(() => ({ axis: this.#axis, columns: this.#marks.heat, colour: this.#colours.price })),
      ),
      new Layer('bottom', zonesDraw(marks)),
      new Layer('top', ordersDraw(marks)),
      new Layer('top', fillsDraw(marks)),
    ];
    for (const layer of this.#layers) this.#series.attachPrimitive(layer);
    this.#observer = new ResizeObserver(() => this.#chart.resize(box.clientWidth, box.clientHeight));
    this.#observer.observe(box);
    this.#chart.subscribeCrosshairMove(({ logical, point }) => {
      const index = Math.round(logical ?? -1);
      const time = this.#times[index];
      const bar = this.#series.dataByIndex(index) as CandlestickData | null;
      if (point === undefined || time === undefined || bar === null) return onPoint(null);
      const text = (value: number): string => value.toFixed(decimals);
      onPoint(
        `${stampSeconds(time)}   O ${text(bar.open)}  H ${text(bar.high)}  L ${text(bar.low)}  C ${text(bar.close)}`,
      );
    });
  }

  get #axis(): Axis {
    return { chart: this.#chart, series: this.#series, times: this.#times, intervalMs: this.#intervalMs };
  }

  #input(): MarksInput | null {
    return this.#times.length === 0 ? null : { axis: this.#axis, colours: this.#colours, ...this.#marks };
  }

  load(candles: readonly Candle[]): void {
    this.#times = candles.map(([time]) => time);
    this.#last = candles.at(-1);
    this.#series.setData(
      candles.map(([time, open, high, low, close]) => ({ time: seconds(time), open, high, low, close })),
    );
    const most = this.#chart.timeScale().width() / BAR_PX;
    const shown = Math.round(Math.min(most, Math.max(BARS_MIN, candles.length))) || BARS_MIN;
    this.#chart.timeScale().setVisibleLogicalRange({ from: candles.length - shown, to: candles.length + 4 });
  }

  /** The newest mid: the last bar moves, or a new one begins. */
  tick(ts: number, mid: number): void {
    const start = Math.floor(ts / this.#intervalMs) * this.#intervalMs;
    const [time, open, high, low] = this.#last ?? [Number.NEGATIVE_INFINITY, mid, mid, mid];
    if (start < time) return;
    const isNew = start > time;
    this.#last = isNew ? [start, mid, mid, mid, mid, 0] : [time, open, Math.max(high, mid), Math.min(low, mid), mid, 0];
    if (isNew) this.#times.push(start);
    const bar = this.#last;
    this.#series.update({ time: seconds(bar[0]), open: bar[1], high: bar[2], low: bar[3], close: bar[4] });
  }

  mark(marks: Marks): void {
    this.#marks = marks;
    for (const layer of this.#layers) layer.refresh();
  }

  recolour(): void {
    this.#colours = palette();
    const { muted, line } = this.#colours;
    this.#chart.applyOptions({ layout: { textColor: muted }, grid: { horzLines: { color: line } } });
    this.#series.applyOptions({ ...this.#candleColours(), priceLineColor: muted });
  }

  remove(): void {
    this.#observer.disconnect();
    this.#chart.remove();
  }

  #candleColours(): Record<string, string> {
    const { candleUp, candleDown, price } = this.#colours;
    return {
      upColor: candleUp,
      downColor: candleDown,
      borderUpColor: price,
      borderDownColor: price,
      wickUpColor: price,
      wickDownColor: price,
    };
  }

  #options(box: HTMLElement): Parameters<typeof createChart>[1] {
    const { muted, line } = this.#colours;
    return {
      width: box.clientWidth,
      height: box.clientHeight,
      layout: { background: { color: 'transparent' }, textColor: muted, fontSize: 11, attributionLogo: false },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.12, bottom: 0.12 } },
      timeScale: {
        borderVisible: false,
        timeVisible: true,
        secondsVisible: this.#intervalMs < 60_000,
        rightOffset: 4,
        minBarSpacing: 0.5,
        tickMarkFormatter: (time: UTCTimestamp, kind: number) => tickText(time * 1_000, kind),
      },
      localization: { locale: 'en-GB', timeFormatter: (time: UTCTimestamp) => stampSeconds(time * 1_000) },
      crosshair: { mode: CrosshairMode.Normal },
      handleScroll: { vertTouchDrag: false },
    };
  }
}

const seconds = (ms: number): UTCTimestamp => (ms / 1_000) as UTCTimestamp;

/** `kind`: 0 year, 1 month, 2 day, 3 minutes, 4 seconds. */
function tickText(ms: number, kind: number): string {
  if (kind <= 2) return new Date(shifted(ms)).toISOString().slice(kind === 0 ? 0 : 5, kind === 0 ? 4 : 10);
  return kind === 3 ? clock(ms).slice(0, 5) : clockMs(ms).slice(0, 8);
}
