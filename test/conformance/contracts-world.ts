/**
 * The world of an outside examiner: a folder with recordings written by hand as `jsonl`, strategies written as text, and
 * the commands of the command line called with arguments. Nothing of the product is imported but the commands' builders,
 * so that a check sees what a user sees: files, JSON and exit codes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CliIo } from '../../src/cli/command.ts';
import { build as backtestCommand } from '../../src/cli/commands/research/backtest.ts';
import { build as configCommand } from '../../src/cli/commands/config.ts';
import { build as dataCommand } from '../../src/cli/commands/data/data.ts';

export type Row = Readonly<Record<string, unknown>>;
type Levels = readonly (readonly [price: string, quantity: string])[];

export interface Fill {
  readonly ts: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly liquidity: 'maker' | 'taker';
  readonly orderRef: string;
  readonly tag: string;
  readonly mid: number | null;
}

export interface Note {
  readonly ts: number;
  readonly text: string;
  readonly data?: Record<string, unknown>;
}

export interface OrderRow {
  readonly ref: string;
  readonly state: string;
  readonly reason?: string;
  readonly filledQuantity: string;
  readonly quantity: string;
  readonly price: string | null;
  readonly createdTs: number;
}

/** What `--json` prints. */
export interface Summary {
  readonly command: string;
  readonly strategy: string;
  readonly runHash: string;
  readonly seed: number;
  readonly params: Record<string, unknown>;
  readonly period: { readonly from: number; readonly to: number };
  readonly events: { total: number; depth: number; trades: number; quotes: number };
  readonly loadMs: number;
  readonly wallMs: number;
  readonly eventsPerSecond: number;
  readonly orders: Record<string, number>;
  readonly fills: number;
  readonly stats: Record<string, number | null>;
  readonly assumptions: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly files: { readonly report: string | null; readonly result: string | null };
}

/** What `--result` writes. */
export interface Result extends Omit<Summary, 'orders' | 'fills'> {
  readonly equity: readonly (readonly [number, number])[];
  readonly fills: readonly Fill[];
  readonly orders: readonly OrderRow[];
  readonly positions: readonly { symbol: string; quantity: string; entryPrice: string | null }[];
  readonly notes: readonly Note[];
  readonly [extra: string]: unknown;
}

export interface Printed {
  readonly out: string;
  readonly err: string;
  readonly exit: number;
}

export interface Step {
  /** Unix ms at which the actions are handed over; fractions are µs. */
  readonly at: number;
  readonly actions: readonly object[];
}

/**
 * A strategy that acts at given times and notes what it hears. `watch`: comma-separated streams of `symbol`; each value
 * becomes a note whose text is the stream's name.
 */
const SCRIPTED = `
import { defineStrategy, note, z, type Action } from 'tidewire';
import { from, map, merge, mergeMap, timer, type Observable } from 'rxjs';

export default defineStrategy({
  name: 'scripted',
  params: z.object({ symbol: z.string().default('AAAUSDT'), steps: z.string().default('[]'), watch: z.string().default('') }),
  setup({ params, market, account, clock }) {
    const { symbol } = params;
    const steps = JSON.parse(params.steps) as { at: number; actions: Action[] }[];
    const acts = from(steps).pipe(mergeMap(({ at, actions }) => timer(at - clock.now()).pipe(map(() => actions))));
    const streams: Record<string, () => Observable<unknown>> = {
      top: () => market.top(symbol),
      book: () => market.book(symbol).pipe(map((book) => ({ bids: book.bids(5), asks: book.asks(5) }))),
      trades: () => market.trades(symbol),
      candles: () => market.candles(symbol, '1m'),
      gaps: () => market.gaps(symbol),
      orders: () => account.orders(),
      fills: () => account.fills(),
      positions: () => account.positions(),
      balances: () => account.balances(),
    };
    const watched = params.watch.split(',').filter((name) => name !== '');
    const notes = watched.map((name) => streams[name]!().pipe(map((value) => note(name, { now: clock.now(), value }))));
    return merge(...notes, acts);
  },
});
`;

export class World {
  readonly dir = mkdtempSync(join(tmpdir(), 'tidewire-contract-'));
  #count = 0;

  constructor() {
    this.write('scripted.ts', SCRIPTED);
  }

  close(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  write(name: string, text: string): string {
    const path = join(this.dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.dir, name), 'utf8');
  }

  async command(name: 'backtest' | 'data' | 'config', ...argv: string[]): Promise<Printed> {
    const printed = { out: '', err: '', exit: -1 };
    const io: CliIo = {
      out: (text) => void (printed.out += text),
      err: (text) => void (printed.err += text),
      isTty: false,
      env: {},
      cwd: this.dir,
      interrupted: new Promise(() => {}),
      exit: (code) => void (printed.exit = code),
    };
    const build = { backtest: backtestCommand, data: dataCommand, config: configCommand }[name];
    const command = build(io);
    for (const part of [command, ...command.commands]) {
      part.exitOverride().configureOutput({ writeErr: io.err, writeOut: io.out });
      if (part.commands.length === 0) part.option('--json');
    }
    await command.parseAsync([...argv, '--json'], { from: 'user' });
    return printed;
  }

  /** Rows to a recording through `data import --from jsonl`; answers its folder and what the command printed. */
  async record(
    rows: readonly Row[],
    ...flags: string[]
  ): Promise<{ readonly path: string; readonly printed: Printed }> {
    const name = `data-${++this.#count}`;
    const file = this.write(`${name}.jsonl`, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
    const printed = await this.command('data', 'import', '--from', 'jsonl', file, '--out', name, ...flags);
    if (printed.exit !== 0) throw new Error(`import: ${printed.err}`);
    return { path: join(this.dir, name), printed };
  }

  /** A backtest; fails the test when it does not end with exit 0. */
  async run(
    strategy: string,
    data: readonly string[],
    ...flags: string[]
  ): Promise<{ result: Result; summary: Summary }> {
    const file = `result-${++this.#count}.json`;
    const path = resolve(this.dir, strategy);
    const printed = await this.command('backtest', path, '--data', ...data, '--result', file, ...flags);
    if (printed.exit !== 0) throw new Error(`backtest ended with ${printed.exit}: ${printed.err}${printed.out}`);
    return { result: JSON.parse(this.read(file)) as Result, summary: JSON.parse(printed.out) as Summary };
  }

  /** The scripted strategy over rows. */
  async play(
    rows: readonly Row[],
    steps: readonly Step[],
    options: { readonly watch?: string; readonly config?: string; readonly flags?: readonly string[] } = {},
  ): Promise<Result> {
    const { path } = await this.record(rows);
    const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--param', `watch=${options.watch ?? ''}`];
    if (options.config !== undefined) {
      flags.push('--config', this.write(`config-${++this.#count}.yaml`, options.config));
    }
    return (await this.run('scripted.ts', [path], ...flags, ...(options.flags ?? []))).result;
  }
}

// ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const SYMBOL = 'AAAUSDT';

interface Times {
  readonly recv?: number;
  readonly symbol?: string;
  readonly seq?: number;
}

/** Times in ms; `recv` 2 ms later unless given. */
function row(type: string, ts: number, { recv = ts + 2, symbol = SYMBOL, ...rest }: Times, body: Row): Row {
  return { ts, recv, symbol, type, ...rest, ...body };
}

const MINUTE = 60_000;
/** Where the bars of `bar` begin, Unix ms. */
export const BARS_FROM = 28_333_334 * MINUTE;

/** A whole bar of a minute, `minute` after `BARS_FROM`. */
export function bar(minute: number, [open, high, low, close]: readonly number[]): Row {
  const openTime = BARS_FROM + minute * MINUTE;
  const prices = { open: `${open}`, high: `${high}`, low: `${low}`, close: `${close}` };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: '100000' };
}

export const snapshot = (ts: number, bids: Levels, asks: Levels, times: Times = {}): Row =>
  row('snapshot', ts, times, { bids, asks });
export const depth = (ts: number, bids: Levels, asks: Levels, times: Times = {}): Row =>
  row('depth', ts, times, { bids, asks });
export const trade = (ts: number, price: string, quantity: string, side: 'buy' | 'sell', times: Times = {}): Row =>
  row('trade', ts, times, { tradeId: `${ts}-${price}-${quantity}`, price, quantity, side });
export const quote = (
  ts: number,
  bid: [string, string],
  ask: [string, string],
  more: Times & { updateId?: number } = {},
): Row => row('quote', ts, more, { bid: bid[0], bidQuantity: bid[1], ask: ask[0], askQuantity: ask[1] });

export const limit = (
  side: 'buy' | 'sell',
  price: string | number,
  quantity: string | number,
  ref: string,
  more: Row = {},
) => ({
  kind: 'place',
  symbol: SYMBOL,
  side,
  type: 'limit',
  price,
  quantity,
  ref,
  ...more,
});
export const marketOrder = (side: 'buy' | 'sell', quantity: string, ref: string, more: Row = {}) => ({
  kind: 'place',
  symbol: SYMBOL,
  side,
  type: 'market',
  quantity,
  ref,
  ...more,
});
export const cancel = (ref: string) => ({ kind: 'cancel', ref });

/** The value that a watched stream emitted. */
export const heardOf = (note: Note): Record<string, unknown> => (note.data?.['value'] ?? {}) as Record<string, unknown>;

/** `ref@price x quantity liquidity`, short enough to compare by eye. */
export const told = (fills: readonly Fill[]): string[] =>
  fills.map((fill) => `${fill.ts} ${fill.orderRef} ${fill.side} ${fill.quantity}@${fill.price} ${fill.liquidity}`);
