/**
 * Orders a second through the matching core beside two order books from npm, on the same stream in the same run. First
 * every contestant's fills are compared one by one; a difference ends the bench.
 */
import { createHash } from 'node:crypto';
import { print, race, seconds } from '../harness.ts';
import { openHft, openNodejs, openOurs, type OpenBook } from './books.ts';
import { orderStream, type OrderStream } from './order-stream.ts';
import { openWholeCore } from './whole-core.ts';

const COMMANDS = 200_000;

const contestants: readonly (readonly [name: string, open: OpenBook])[] = [
  ['peer: nodejs-order-book 10.1.1', openNodejs],
  ['peer: hft-limit-order-book 7.0.2', openHft],
  ['book of the sandbox with an index by id', openOurs],
  ['whole core: checks, exact money, history, events', openWholeCore],
];

interface Fills {
  readonly count: number;
  readonly digest: string;
}

function fillsOf(open: OpenBook, { opening, commands }: OrderStream): Fills {
  const hash = createHash('sha256');
  let count = 0;
  const book = open((makerId, ticks, lots) => {
    count++;
    hash.update(`${makerId} ${ticks} ${lots}\n`);
  });
  for (const command of opening) book.apply(command);
  for (const command of commands) book.apply(command);
  return { count, digest: hash.digest('hex') };
}

async function ordersPerSecond(open: OpenBook, { opening, commands }: OrderStream): Promise<number> {
  const book = open(null);
  for (const command of opening) book.apply(command);
  const took = await seconds(() => {
    for (const command of commands) book.apply(command);
  });
  return commands.length / took;
}

export async function sandboxCoreBench(): Promise<void> {
  const stream = orderStream(1, COMMANDS);
  const fills = contestants.map(([name, open]) => ({ name, ...fillsOf(open, stream) }));
  for (const { name, digest } of fills) {
    if (digest !== fills[0]?.digest) throw new Error(`${name} does not fill as ${fills[0]?.name} does`);
  }
  const results = await race(
    contestants.map(([name, open]) => ({ name, run: async () => ordersPerSecond(open, stream) })),
  );
  print('Matching core on one stream', 'orders and cancels a second', results);
  console.log(
    `  ${COMMANDS} commands, ${stream.opening.length} orders before; all fill alike, ${fills[0]?.count} fills`,
  );
}
