/** A uPlot with the axes, times and read-out that all curves of the page share. */
import uPlot from 'uplot';
import { decimalsOf, grouped } from '../ui/number.ts';
import { clock, shifted } from '../ui/time.ts';
import { css, FONT } from './palette.ts';

export type Columns = uPlot.AlignedData;

export interface PlotSpec {
  readonly height: number;
  readonly unit: string;
  readonly series: readonly uPlot.Series[];
  readonly bands?: uPlot.Band[];
  /** Of the values; default fitted with a little air. */
  readonly range?: (low: number, high: number) => [number, number];
  readonly describe: (index: number, columns: Columns) => string;
  readonly showTime: boolean;
}

/** Fitted to the curve with a little air; a flat one gets a thousandth around it. */
function fitted(low: number, high: number): [number, number] {
  const air = high > low ? (high - low) * 0.08 : Math.abs(high) * 0.001 || 1;
  return [low - air, high + air];
}

export class CurvePlot {
  readonly #plot: uPlot;
  readonly #observer: ResizeObserver;

  constructor(box: HTMLElement, columns: Columns, spec: PlotSpec) {
    const { height, series, bands, range = fitted, describe, unit, showTime } = spec;
    this.#plot = new uPlot(
      {
        width: box.clientWidth,
        height,
        ms: 1,
        legend: { show: false },
        padding: [8, 12, 0, 0],
        cursor: { sync: { key: 'time' }, y: false, points: { size: 6 }, drag: { x: true, y: false } },
        scales: { x: { time: true }, y: { range: (_, low, high) => range(low ?? 0, high ?? 0) } },
        axes: axes(showTime, unit),
        series: [{}, ...series],
        ...(bands === undefined ? {} : { bands }),
        plugins: [readout(describe)],
      },
      columns,
      box,
    );
    this.#observer = new ResizeObserver(() => this.#plot.setSize({ width: box.clientWidth, height }));
    this.#observer.observe(box);
  }

  set(columns: Columns): void {
    this.#plot.setData(columns);
  }

  remove(): void {
    this.#observer.disconnect();
    this.#plot.destroy();
  }
}

function axes(showTime: boolean, unit: string): uPlot.Axis[] {
  const common = { stroke: css('--muted'), font: FONT, ticks: { show: false }, border: { show: false } };
  const time: uPlot.Axis = { ...common, space: 84, grid: { show: false } };
  return [
    showTime
      ? { ...time, size: 30, values: (_, ticks, _axis, _space, step) => ticks.map((tick) => timeText(tick, step)) }
      : { ...time, size: 6, values: () => [] },
    {
      ...common,
      size: 74,
      space: 30,
      grid: { stroke: css('--line'), width: 1 },
      values: (_, ticks) => numbers(ticks).map((text) => (unit === '%' ? `${text} %` : text)),
    },
  ];
}

function timeText(ms: number, step: number): string {
  if (step >= 86_400_000) return new Date(shifted(ms)).toISOString().slice(0, 10);
  return step >= 60_000 ? clock(ms).slice(0, 5) : clock(ms);
}

/** Axis numbers with as many decimals as the step between ticks has. */
function numbers(ticks: readonly number[]): readonly string[] {
  const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
  let decimals = 0;
  while (decimals < 8 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return ticks.map((tick) => grouped(tick, decimals));
}

/** A label that follows the cursor. */
function readout(describe: PlotSpec['describe']): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'readout';
  box.hidden = true;
  return {
    hooks: {
      init: (plot) => plot.over.append(box),
      setCursor: (plot) => {
        const index = plot.cursor.idx;
        const left = plot.cursor.left ?? -1;
        box.hidden = index === null || index === undefined || left < 0;
        if (index === null || index === undefined || box.hidden) return;
        box.textContent = describe(index, plot.data);
        box.classList.toggle('left', left > plot.over.clientWidth / 2);
      },
    },
  };
}

/** Digits for the read-out of a column. */
export function digitsOf(values: readonly (number | null | undefined)[]): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null || value === undefined) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return decimalsOf(low, high);
}
