/** A live session's journal for `panic --flatten`. What the exchange shows is applied in memory only. */
import { isLocked } from '../../journal/files/lock.ts';
import { replayJournal } from '../../journal/resume.ts';
import { readJournal } from '../../journal/verify.ts';
import type { Market } from '../../model/market/instrument.ts';
import type { JournalEntry } from '../../model/entries/journal.ts';
import { earliestOf } from '../../reconciler/match.ts';
import { localOrder, isUnproved, type LocalOrder } from '../../reconciler/local-order.ts';
import { Replay } from '../../spine/replay.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { SessionFolder, SessionRecord } from '../store/store.ts';

export class PanicBook {
  readonly record: SessionRecord;
  readonly path: string;
  /** Ids of copies of the session in other folders. */
  readonly also: string[] = [];
  #replay = new Replay();
  #seq = 0;
  #trades: ReadonlySet<string> | null | undefined;

  constructor({ path, record }: SessionFolder) {
    this.record = record;
    this.path = path;
  }

  get state(): StateView {
    return this.#replay.state;
  }

  get markets(): readonly Market[] {
    return this.#replay.instruments.all().map(({ market }) => market);
  }

  /** Throws journal errors. */
  read(): void {
    if (this.#seq === 0) this.#replay = replayJournal(this.path);
    else for (const row of readJournal(this.path, this.#seq + 1)) this.#replay.row(row);
    this.#seq = this.#replay.rows;
  }

  /** After the last `read`. `ts`: Unix ms. */
  take(entry: JournalEntry, ts: number): void {
    this.#replay.row({ seq: this.#seq, ts, entry });
  }

  /** Also forgotten intents. */
  knows(intentId: string): boolean {
    const { intents, orders, refs } = this.state;
    // A taken-over order has its id as ref.
    const isTaken = this.record.strategies.some(({ tag }) => refs.isChosen(tag, intentId));
    return isTaken || intents.has(intentId) || orders.byIntent(intentId) !== undefined;
  }

  /** Of the whole journal at the first call; null where it cannot be read. */
  trades(): ReadonlySet<string> | null {
    if (this.#trades === undefined) this.#trades = tradesIn(this.path);
    return this.#trades;
  }

  /** Of two copies: starts of its own, trades, a process that runs, rows. Positive: this one. */
  knowsMoreThan(other: PanicBook): number {
    const ranks = (book: PanicBook): readonly number[] => {
      return [book.state.sessions.size, book.trades()?.size ?? -1, isLocked(book.path) === true ? 1 : 0, book.#seq];
    };
    const [own, its] = [ranks(this), ranks(other)];
    return own.map((rank, index) => rank - (its[index] ?? 0)).find((more) => more !== 0) ?? 0;
  }

  get hasLive(): boolean {
    return this.state.orders.allLive().length > 0;
  }

  /** Orders that may exist under an id unknown to the journal. */
  unproved(): readonly LocalOrder[] {
    return this.state.orders
      .allLive()
      .map(localOrder)
      .filter((order) => isUnproved(order) && order.orderId === undefined);
  }

  /** Unix ms up to which trades are booked, less clock doubts. */
  get bookedTo(): number {
    const { readTo, bornAt, orders } = this.state;
    const sent = orders.allLive().filter(({ sentAt }) => sentAt > 0);
    return Math.min(readTo?.trades ?? bornAt, ...sent.map(earliestOf));
  }
}

function tradesIn(path: string): ReadonlySet<string> | null {
  try {
    const found = [...readJournal(path)].flatMap(({ entry }) =>
      entry.kind === 'fill' || entry.kind === 'liquidation' ? [`${entry.fill.symbol}/${entry.fill.tradeId}`] : [],
    );
    return new Set(found);
  } catch {
    // Older rows may be missing that no start needs.
    return null;
  }
}
