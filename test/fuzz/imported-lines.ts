/** Lines of other sources' files, and their way through an importer: layout, frames, messages. */
import { IMPORTERS } from '../../src/recording/importers/formats.ts';
import type { Importer } from '../../src/recording/importers/importer.ts';

export interface ImportedLines {
  readonly importer: Importer;
  readonly file: string;
  readonly lines: readonly string[];
}

export const IMPORTED: readonly ImportedLines[] = [
  {
    importer: IMPORTERS['candles-csv'],
    file: 'BTCUSDT.csv',
    lines: [
      'timestamp,open,high,low,close,volume',
      '1767225600000,60000,60010.5,59990,60001,12.5',
      '1767225660000,60001,60011.5,59991,60002,13.5',
    ],
  },
  {
    importer: IMPORTERS['binance-vision'],
    file: 'BTCUSDT-trades-2026-01-01.csv',
    lines: ['1,60000.1,0.5,30000.05,1767225600000,true,true', '2,60000.2,0.25,15000.05,1767225600100,false,true'],
  },
  {
    importer: IMPORTERS['tardis-csv'],
    file: 'trades_BTCUSDT.csv',
    lines: [
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      'binance,BTCUSDT,1767225600000000,1767225600010000,1,buy,60000.1,0.5',
    ],
  },
  {
    importer: IMPORTERS['tardis-csv'],
    file: 'incremental_book_L2_BTCUSDT.csv',
    lines: [
      'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
      'binance,BTCUSDT,1767225600000000,1767225600010000,true,bid,60000.1,0.5',
      'binance,BTCUSDT,1767225600000000,1767225600010000,true,ask,60000.2,0.5',
    ],
  },
  {
    importer: IMPORTERS['binance-collector'],
    file: 'btcusdt.dat',
    lines: [
      '1767225600000000000 {"stream":"btcusdt@depth@0ms","data":{"e":"depthUpdate","E":1767225600000,"T":1767225600000,"s":"BTCUSDT","U":1,"u":2,"pu":0,"b":[["60000.1","0.5"]],"a":[["60000.2","0.5"]]}}',
      '1767225600100000000 {"stream":"btcusdt@trade","data":{"e":"trade","E":1767225600100,"T":1767225600100,"s":"BTCUSDT","t":1,"p":"60000.1","q":"0.5","m":true}}',
    ],
  },
  {
    importer: IMPORTERS.jsonl,
    file: 'events.jsonl',
    lines: [
      '{"ts":1767225600000,"symbol":"BTCUSDT","type":"depth","snapshot":true,"seq":1,"bids":[["60000.1","0.5"]],"asks":[["60000.2","0.5"]]}',
      '{"ts":1767225600100,"symbol":"BTCUSDT","type":"trade","id":1,"side":"buy","price":"60000.1","quantity":"0.5"}',
    ],
  },
];

/** What became of the lines. Throws only when a reader does. */
export function* readImported({ importer, file }: ImportedLines, lines: readonly string[]): Generator<string> {
  const layout = importer.layoutOf(file, lines, { symbols: ['BTCUSDT'] });
  if (typeof layout === 'string') return yield 'refused';
  const frames: (readonly [receiveUs: number, text: string])[] = [];
  const framer = importer.framer(layout, (receiveUs, text) => frames.push([receiveUs, text]));
  for (const line of lines) if (framer.line(line) !== null) yield 'line not understood';
  framer.flush();
  const parse = importer.parser(layout);
  for (const [receiveUs, text] of frames) {
    const result = parse(text, receiveUs, () => {});
    yield result === 'ok' ? 'read' : 'ignored' in result ? 'ignored' : 'failed';
  }
}
