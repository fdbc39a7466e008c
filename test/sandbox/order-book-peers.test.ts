import { expect, it } from 'vitest';
import { openHft, openNodejs, openOurs, type OpenBook } from '../../bench/sandbox/books.ts';
import { orderStream, type OrderStream } from '../../bench/sandbox/order-stream.ts';

interface Fill {
  readonly makerId: string;
  readonly ticks: number;
  readonly lots: number;
}

function fillsOf(open: OpenBook, { opening, commands }: OrderStream): readonly Fill[] {
  const fills: Fill[] = [];
  const book = open((makerId, ticks, lots) => fills.push({ makerId, ticks, lots }));
  for (const command of [...opening, ...commands]) book.apply(command);
  return fills;
}

it.each([11, 12, 13])('fills stream %i order by order as two order books from npm do', (seed) => {
  const stream = orderStream(seed, 4000);
  const fills = fillsOf(openOurs, stream);
  expect(fills.length).toBeGreaterThan(500);
  expect(fillsOf(openHft, stream)).toEqual(fills);
  expect(fillsOf(openNodejs, stream)).toEqual(fills);
});
