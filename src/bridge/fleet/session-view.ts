/**
 * One session of the machine, running or over: its replica, the live part while it runs, and commands to it. The queries
 * of the API, the stream and every other front end are its methods.
 */
import { join } from 'node:path';
import type { Cancel, Clock } from '../../model/ports.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import { sessionFigures, type SessionFigures } from '../../session/result/session-figures.ts';
import { unheeded } from '../../session/upkeep/session-state.ts';
import { isRunning } from '../../session/store/is-running.ts';
import { readLosses } from '../../session/store/losses-file.ts';
import { sessionWord } from '../../session/view/session-word.ts';
import { readSession, sessionFiles, type SessionFolder } from '../../session/store/store.ts';
import type { LivePart } from '../live/live-part.ts';
import { Replica } from '../replica/replica.ts';
import type { Book, EquityPoint } from '../schemas/market.ts';
import { sessionSummary, type SessionDetail, type SessionSummary } from '../schemas/session.ts';
import type { Asked, Told } from '../thread/messages.ts';
import { detailOf, summaryOf, type Sources } from './detail.ts';
import { EquityHistory, pointsOf } from './equity-history.ts';
import { LiveWatch } from './live-watch.ts';
import { Orders } from './orders.ts';
import type { LiveEars, LiveWish, SessionLink } from './session-link.ts';
import { unreadableSummary } from './unreadable.ts';

export interface ViewDeps {
  readonly folder: SessionFolder;
  readonly currency: string;
  readonly clock: Clock;
  /** Null: it does not run in reach. */
  readonly link: () => SessionLink | null;
  /** Of this process, so that it runs for certain. */
  readonly isOwn: boolean;
}

interface Figures {
  readonly seq: number;
  readonly value: SessionFigures;
  /** Why its result cannot be read; null: it can, or there is none. */
  readonly unread: string | null;
}

/** How long the state of a process on disk counts as current. */
const RUNNING_MS = 1_000;

export class SessionView {
  readonly watch: LiveWatch;
  readonly orders: Orders;
  readonly history: EquityHistory;
  readonly #deps: ViewDeps;
  #folder: SessionFolder;
  #replica: Replica | null = null;
  #figures: Figures | null = null;
  #isLoading = false;
  #running = { at: Number.NEGATIVE_INFINITY, is: false };

  constructor(deps: ViewDeps) {
    const { clock, link, folder } = deps;
    this.#deps = deps;
    this.#folder = folder;
    this.history = new EquityHistory(folder.record.startedAt);
    this.watch = new LiveWatch({ clock, link, heard: (part) => this.history.add(part) });
    this.orders = new Orders({ clock, link, replica: () => this.replica() });
  }

  get id(): string {
    return this.#deps.folder.record.id;
  }

  get isOwn(): boolean {
    return this.#deps.isOwn;
  }

  get folder(): SessionFolder {
    return this.#folder;
  }

  get currency(): string {
    return this.#deps.currency;
  }

  get seq(): number {
    return this.#replica?.seq ?? 0;
  }

  /** Somebody follows it. */
  get isWatched(): boolean {
    return this.watch.isWatched;
  }

  /** Null before the first row. Throws `journal_corrupt`, `journal_failed`. */
  replica(): Replica | null {
    if (this.#replica !== null) return this.#replica;
    try {
      this.#replica = new Replica(this.#folder.path);
    } catch (thrown) {
      if (!isTidewireError(thrown) || thrown.code !== 'journal_not_found') throw thrown;
    }
    return this.#replica;
  }

  /** Reads what is new; true when something was. */
  catchUp(): boolean {
    const replica = this.replica();
    return replica?.catchUp() ?? false;
  }

  isRunning(): boolean {
    const { clock, isOwn, link } = this.#deps;
    if (isOwn && link() !== null) return true;
    const now = clock.now();
    if (now - this.#running.at < RUNNING_MS) return this.#running.is;
    // Another process may have gone on with it, or ended it.
    this.#folder = readSession(this.#folder.path) ?? this.#folder;
    this.#running = { at: now, is: isRunning(this.#folder) };
    return this.#running.is;
  }

  async summary(): Promise<SessionSummary> {
    try {
      const told = await this.#told();
      if (told !== null) return sessionSummary.parse(told);
      return summaryOf(await this.#sources());
    } catch (thrown) {
      const { path, record } = this.#folder;
      return unreadableSummary(path, record, this.#deps.currency, messageOf(thrown));
    }
  }

  /** Throws what the journal throws. */
  async detail(): Promise<SessionDetail> {
    return (await this.#told()) ?? detailOf(await this.#sources());
  }

  /** Null: it does not run. */
  live(): Promise<LivePart | null> {
    return this.watch.part();
  }

  /** Null: it does not run, or cannot answer. */
  async ask(asked: Asked): Promise<Told | null> {
    return (await this.#deps.link()?.ask(asked)) ?? null;
  }

  /** As the server of its own process has it. Null: live parts come here, or it does not run in reach. */
  async bookThere(symbol: string, depth: number): Promise<Book | null> {
    return this.isRunning() ? ((await this.#deps.link()?.book?.(symbol, depth)) ?? null) : null;
  }

  /** The stream of the server of its own process. Null as for `bookThere`. */
  follow(wish: LiveWish, ears: LiveEars): Cancel | null {
    return this.isRunning() ? (this.#deps.link()?.follow?.(wish, ears) ?? null) : null;
  }

  /** The part of the equity curve from before this view was open. */
  async loadHistory(): Promise<void> {
    if (!this.history.hasHole || this.#isLoading) return;
    this.#isLoading = true;
    try {
      const told = await this.ask({ kind: 'curve' });
      if (told?.kind === 'curve') this.history.fill(told.points);
    } finally {
      this.#isLoading = false;
    }
  }

  /** The equity curve: its own samples while it runs in reach, else what result or journal hold. */
  async curve(): Promise<readonly EquityPoint[]> {
    const running = this.isRunning();
    if (running && (await this.live()) !== null) await this.loadHistory();
    if (running && this.history.points.length > 0) return [...this.history.points];
    this.catchUp();
    return pointsOf(this.#figuresOf(running)?.value.account ?? null);
  }

  /** Lets go of the files. */
  close(): void {
    this.#replica?.close();
    this.#replica = null;
  }

  /** By the server of its own process. */
  async #told(): Promise<SessionDetail | null> {
    if (!this.isRunning()) return null;
    return (await this.#deps.link()?.detail?.()) ?? null;
  }

  async #sources(): Promise<Sources> {
    const { currency, link } = this.#deps;
    const running = this.isRunning();
    this.catchUp();
    const live = running ? await this.watch.part() : null;
    if (live !== null) await this.loadHistory();
    const { record, path } = this.#folder;
    const replica = this.#replica;
    const figures = live === null ? this.#figuresOf(running) : null;
    const killed = replica?.replay.state.killReason ?? unheeded(path);
    const state = { running, killed: killed !== null };
    return {
      folder: this.#folder,
      word: sessionWord(record, state),
      running,
      killed,
      replica,
      live,
      history: this.history,
      figures: figures?.value ?? null,
      unread: figures?.unread ?? null,
      losses: readLosses(join(path, sessionFiles.losses)),
      currency,
      commandable: running && link() !== null,
      isSilent: running && link() !== null && live === null,
    };
  }

  #figuresOf(running: boolean): Figures | null {
    const { seq } = this;
    if (seq === 0) return null;
    if (this.#figures?.seq !== seq) {
      let unread: string | null = null;
      const value = sessionFigures(this.#folder, this.#deps.currency, running, ({ code, message }) => {
        unread = `${code}: ${message}`;
      });
      this.#figures = { seq, value, unread };
    }
    return this.#figures;
  }
}
