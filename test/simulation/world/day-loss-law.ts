/**
 * The loss of a day stops new risk (INV-R2), and a start does not begin the day anew: its value changes by a flow, or by the
 * whole of what had no price when it began. The equity is what the process itself believes to have: balances, and open profit
 * at the mid; that those are true is for other laws. An order may have waited, and an estimate move by a little, so only a
 * loss that has lasted counts.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { accountPositions } from '../../../src/spine/account-positions.ts';
import { PERPETUAL } from './futures/terms.ts';
import type { Process } from './process.ts';
import { SYMBOL } from './restless.ts';

/** `dailyLossFraction` of the world, and one part in a hundred. */
const LOSS_MAX = 0.21;
/** Longer than an intent may wait, and a process may stand still. */
const LASTED_US = 28_000_000;
const EVERY_US = 1_000_000;

export class DayLossLaw {
  readonly #violated: (what: string) => void;
  readonly #lossMax: number;
  #day = '';
  #start = Number.NaN;
  /** A start of the same day that differs, until the flow that explains it is written. */
  #doubtful: number | null = null;
  /** True time, µs. */
  #lostSinceUs = Number.POSITIVE_INFINITY;
  #lookedUs = 0;

  /** `isReckless`: the loss of a day is not limited. */
  constructor(violated: (what: string) => void, isReckless: boolean) {
    this.#violated = violated;
    this.#lossMax = isReckless ? Number.POSITIVE_INFINITY : LOSS_MAX;
  }

  /** `process`: the one that wrote it, as it is right after; null when it has died since. */
  row(entry: JournalEntry, process: Process | null): void {
    if (entry.kind === 'session' && entry.event === 'start') this.#lostSinceUs = Number.POSITIVE_INFINITY;
    else if (entry.kind === 'day') this.#begin(entry.day, Number(entry.equity), process);
    else if (entry.kind === 'cash-flow' && this.#doubtful !== null) {
      const moved = this.#doubtful - this.#start;
      if (Math.abs(moved - Number(entry.value)) < 0.01) this.#start = this.#doubtful;
      this.#doubtful = null;
    }
  }

  /** At most once a second. */
  look(us: number, process: Process | null): void {
    if (us < this.#lookedUs + EVERY_US) return;
    this.#lookedUs = us;
    const equity = process === null ? Number.NaN : equityOf(process);
    if (!this.#isLost(equity)) this.#lostSinceUs = Number.POSITIVE_INFINITY;
    else if (this.#lostSinceUs > us) this.#lostSinceUs = us;
  }

  /** An order that takes new risk leaves. */
  create(us: number, process: Process | null): void {
    if (us < this.#lostSinceUs + LASTED_US) return;
    // The mid may have jumped back since the last look.
    if (process === null || !this.#isLost(equityOf(process))) {
      this.#lostSinceUs = Number.POSITIVE_INFINITY;
      return;
    }
    const seconds = Math.round((us - this.#lostSinceUs) / 1e6);
    this.#violated(`new risk leaves ${seconds} s after the loss of the day was reached`);
  }

  /** A day that begins with nothing, or less, has no share to lose. */
  #isLost(equity: number): boolean {
    return this.#start > 0 && this.#start - equity > this.#start * this.#lossMax;
  }

  #begin(day: string, equity: number, process: Process | null): void {
    if (this.#doubtful !== null)
      this.#violated(`the day begins anew with ${this.#doubtful}, it began with ${this.#start}`);
    this.#doubtful = null;
    if (day !== this.#day || isFirstPrice(process, equity - this.#start)) this.#start = equity;
    else this.#doubtful = equity;
    this.#day = day;
  }
}

/** By so much the day grew: by the coins, the positions, or both, as a whole. Of a process that has died nobody can say. */
function isFirstPrice(process: Process | null, grownBy: number): boolean {
  if (process === null) return true;
  const { coins, open } = partsOf(process);
  return [coins, open, coins + open].some((value) => Math.abs(grownBy - value) <= Math.abs(value) / 100);
}

/** NaN while something has no price, and before its strategies begin: no order asks. */
function equityOf(process: Process): number {
  if (!process.hasStarted) return Number.NaN;
  const { cash, coins, open } = partsOf(process);
  return cash + coins + open;
}

/** What the account consists of; each NaN while it has no price. */
function partsOf(process: Process): { readonly cash: number; readonly coins: number; readonly open: number } {
  const executor = process.engine?.executor;
  if (executor === undefined) return { cash: Number.NaN, coins: Number.NaN, open: Number.NaN };
  const [tag = ''] = process.tags;
  const account = executor.account(tag);
  const cash = Number(account.balance('USDT').total);
  let coins = 0;
  let open = 0;
  for (const symbol of process.symbols) {
    const mid = midOf(process, symbol);
    // Where the list of spot came empty, BTC has the price of the perpetual (seed 10070).
    if (symbol === SYMBOL || !process.knows(SYMBOL)) coins += mid * Number(account.balance('BTC').total);
    if (symbol !== SYMBOL) open += openProfit(process, mid);
  }
  return { cash, coins, open };
}

/** Where there is no book yet, the price of the last trade (seed 92451). */
function midOf(process: Process, symbol: string): number {
  return process.mid(symbol) ?? Number.NaN;
}

/** Of the account, as the exchange nets it. */
function openProfit(process: Process, mid: number): number {
  const executor = process.engine?.executor;
  if (executor === undefined) return 0;
  let open = 0;
  for (const { instrument, quantity, cost } of accountPositions(executor.state, (name) => process.instrument(name)))
    if (instrument.symbol === PERPETUAL)
      open += (mid * quantity.toNumber() - cost.toNumber()) * instrument.contractValue;
  return open;
}
