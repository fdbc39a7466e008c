/** `chart.plot` series and notes on one symbol's bars: the last value per bar, one mark per bar. */
import type { ChartSeries, ResultNote } from '../../session/result/result.ts';

export interface PlottedLine {
  readonly name: string;
  readonly pane: string;
  /** Same name, same colour on the page. */
  readonly colour: number;
  /** Bar indices, rising. */
  readonly at: readonly number[];
  readonly value: readonly number[];
}

export interface NoteMark {
  /** Seconds, of the first. */
  readonly time: number;
  readonly count: number;
  /** The first few. */
  readonly texts: string[];
}

/** Bar starts on a regular grid, Unix ms. */
export interface BarGrid {
  readonly starts: readonly number[];
  readonly intervalMs: number;
}

const TEXTS_MAX = 3;
const TEXT_LENGTH_MAX = 80;
/** Page colours, those not used by fills and positions first. */
const COLOURS = [5, 3, 2, 4, 6, 7, 0, 1] as const;

export function plottedLines(series: readonly ChartSeries[], symbol: string, grid: BarGrid): readonly PlottedLine[] {
  const names = [...new Set(series.map(({ name }) => name))];
  return series
    .filter((plotted) => plotted.symbol === undefined || plotted.symbol === symbol)
    .map(({ name, pane, points }) => ({
      name,
      pane,
      colour: COLOURS[names.indexOf(name) % COLOURS.length] ?? 0,
      ...lastOfBars(points, grid),
    }));
}

function lastOfBars(points: ChartSeries['points'], { starts, intervalMs }: BarGrid): Pick<PlottedLine, 'at' | 'value'> {
  const at: number[] = [];
  const value: number[] = [];
  let bar = 0;
  for (const [ts, plotted] of points) {
    while (bar + 1 < starts.length && starts[bar + 1]! <= ts) bar++;
    const start = starts[bar];
    if (start === undefined || ts < start - intervalMs) continue;
    const rounded = Number(plotted.toPrecision(10));
    if (at.at(-1) === bar) value[value.length - 1] = rounded;
    else {
      at.push(bar);
      value.push(rounded);
    }
  }
  return { at, value };
}

export function noteMarks(notes: readonly ResultNote[], { starts, intervalMs }: BarGrid): readonly NoteMark[] {
  const marks: { time: number; count: number; texts: string[]; bar: number }[] = [];
  let bar = 0;
  for (const { ts, text } of notes.toSorted((left, right) => left.ts - right.ts)) {
    while (bar + 1 < starts.length && starts[bar + 1]! <= ts) bar++;
    const start = starts[bar];
    if (start === undefined || ts < start - intervalMs) continue;
    const last = marks.at(-1);
    const short = text.slice(0, TEXT_LENGTH_MAX);
    if (last?.bar !== bar) {
      marks.push({ time: ts / 1000, count: 1, texts: [short], bar });
      continue;
    }
    last.count++;
    if (last.texts.length < TEXTS_MAX) last.texts.push(short);
  }
  return marks.map(({ time, count, texts }) => ({ time, count, texts }));
}
