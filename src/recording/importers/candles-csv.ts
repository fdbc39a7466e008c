/**
 * `candles-csv`: named columns (`timestamp|time|date|open_time`, `open`, `high`, `low`, `close`, `volume`), one closed
 * bar a line. Times are open times; `--timestamp close`: close times. `--volume quote`: divided by (high + low +
 * close)/3.
 */
import type { InputLayout } from '../frames/manifest.ts';
import { Columns, headerNames, splitCsv, usOfText } from './csv.ts';
import { type Framer, type Importer, onlySymbol, symbolOf } from './importer.ts';
import type { FrameParser } from './raw-message.ts';

const TIME_COLUMNS = ['timestamp', 'time', 'date', 'datetime', 'open_time', 'opentime', 'ts'];

export const candlesCsv: Importer = {
  format: 'candles-csv',
  layoutOf(file, head, options) {
    const columns = headerNames(head[0] ?? '');
    const named = new Columns(columns);
    const missing = ['open', 'high', 'low', 'close', 'volume'].filter((name) => named.at(name) < 0);
    if (named.at(...TIME_COLUMNS) < 0) missing.unshift('timestamp');
    if (missing.length > 0) {
      return `the header has no column ${missing.join(', ')}; found ${JSON.stringify((head[0] ?? '').slice(0, 80))}`;
    }
    const intervalMs = options.intervalMs ?? guessInterval(head, named);
    if (!(intervalMs > 0)) return 'the interval does not follow from the first rows; give --interval';
    return {
      file,
      layout: 'candles',
      columns,
      options: {
        symbol: onlySymbol(file, options),
        intervalMs,
        timestamp: options.timestamp ?? 'open',
        volume: options.volume ?? 'base',
      },
    };
  },
  framer(layout, emit): Framer {
    const at = new Columns(layout.columns).at(...TIME_COLUMNS);
    const shiftUs = closeShiftUs(layout);
    let first = true;
    return {
      line(line) {
        if (first) {
          first = false;
          return null;
        }
        const fields = splitCsv(line);
        const us = usOfText(fields[at] ?? '') + shiftUs;
        if (!Number.isFinite(us)) return `${JSON.stringify(fields[at] ?? '')} is not a time`;
        emit(us, line);
        return null;
      },
      flush() {},
    };
  },
  parser,
};

/** File time to bar close. */
function closeShiftUs(layout: InputLayout): number {
  return layout.options['timestamp'] === 'close' ? 0 : Number(layout.options['intervalMs']) * 1000;
}

/** Smallest step, as bars may be missing; `NaN` without one. */
function guessInterval(head: readonly string[], columns: Columns): number {
  const at = columns.at(...TIME_COLUMNS);
  const times = head.slice(1).map((line) => usOfText(splitCsv(line)[at] ?? ''));
  const steps = times.slice(1).map((us, index) => Math.abs(us - (times[index] ?? Number.NaN)) / 1000);
  const known = steps.filter((ms) => ms > 0);
  return known.length === 0 ? Number.NaN : Math.min(...known);
}

function parser(layout: InputLayout): FrameParser {
  const columns = new Columns(layout.columns);
  const at = columns.at(...TIME_COLUMNS);
  const [open, high, low] = [columns.at('open'), columns.at('high'), columns.at('low')];
  const [close, volume] = [columns.at('close'), columns.at('volume')];
  const intervalMs = Number(layout.options['intervalMs']);
  const shiftUs = closeShiftUs(layout);
  const symbol = symbolOf(layout);
  const inQuote = layout.options['volume'] === 'quote';
  return (text, _receiveUs, out) => {
    const row = splitCsv(text);
    const closeUs = usOfText(row[at] ?? '') + shiftUs;
    const typical = (Number(row[high]) + Number(row[low]) + Number(row[close])) / 3;
    out({
      kind: 'candle',
      symbol,
      exchangeUs: closeUs,
      oneTime: true,
      intervalMs,
      openTime: closeUs / 1000 - intervalMs,
      open: row[open],
      high: row[high],
      low: row[low],
      close: row[close],
      volume: inQuote ? Number(row[volume]) / typical : row[volume],
      closed: true,
    });
    return 'ok';
  };
}
