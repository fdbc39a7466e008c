/** Asks a session for its live part and books only while somebody looks: a watcher, or a request not long ago. */
import type { Cancel, Clock } from '../../model/ports.ts';
import type { LivePart } from '../live/live-part.ts';
import type { ToServer, Wanted } from '../thread/messages.ts';
import type { SessionLink } from './session-link.ts';

type Market = Extract<ToServer, { kind: 'market' }>;

export interface LiveWatcher {
  /** Symbol to levels; empty: no books. */
  books: Readonly<Record<string, number>>;
  readonly live: (part: LivePart) => void;
  readonly market: (market: Market) => void;
}

export interface LiveWatchDeps {
  readonly clock: Clock;
  readonly link: () => SessionLink | null;
  readonly heard: (part: LivePart) => void;
}

/** A request keeps the session sending for so long. */
const LINGER_MS = 5_000;
/** An older part is not an answer. */
const FRESH_MS = 1_000;
const WAIT_MS = 750;

export class LiveWatch {
  readonly #deps: LiveWatchDeps;
  readonly #watchers = new Set<LiveWatcher>();
  readonly #waiting = new Set<(part: LivePart) => void>();
  #newest: LivePart | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;
  #told: Wanted = { live: false, books: {} };
  #lingersUntil = Number.NEGATIVE_INFINITY;
  #linger: Cancel = () => {};

  constructor(deps: LiveWatchDeps) {
    this.#deps = deps;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  get newest(): LivePart | null {
    return this.#newest;
  }

  /** At most a second old where the session answers; null where it does not. */
  async part(): Promise<LivePart | null> {
    const { clock, link } = this.#deps;
    const known = link();
    if (known === null || known.detail !== undefined) return null;
    this.#stay();
    if (clock.now() - this.#heardAt < FRESH_MS) return this.#newest;
    const next = Promise.withResolvers<LivePart | null>();
    const cancel = clock.after(WAIT_MS, () => next.resolve(this.#newest));
    this.#waiting.add(next.resolve);
    try {
      return await next.promise;
    } finally {
      cancel();
      this.#waiting.delete(next.resolve);
    }
  }

  add(watcher: LiveWatcher): Cancel {
    this.#watchers.add(watcher);
    this.changed();
    return () => {
      this.#watchers.delete(watcher);
      this.changed();
    };
  }

  /** What is wanted has changed, or there is a new link. */
  changed(isNewLink = false): void {
    const books: Record<string, number> = {};
    for (const { books: wished } of this.#watchers)
      for (const [symbol, depth] of Object.entries(wished)) books[symbol] = Math.max(books[symbol] ?? 0, depth);
    const live = this.#watchers.size > 0 || this.#deps.clock.now() < this.#lingersUntil;
    const wanted = { live, books };
    if (!isNewLink && JSON.stringify(wanted) === JSON.stringify(this.#told)) return;
    this.#told = wanted;
    this.#deps.link()?.want(wanted);
  }

  hear(part: LivePart): void {
    this.#newest = part;
    this.#heardAt = this.#deps.clock.now();
    this.#deps.heard(part);
    for (const resolve of this.#waiting) resolve(part);
    for (const { live } of this.#watchers) live(part);
  }

  hearMarket(market: Market): void {
    for (const { market: give } of this.#watchers) give(market);
  }

  #stay(): void {
    const { clock } = this.#deps;
    this.#lingersUntil = clock.now() + LINGER_MS;
    this.#linger();
    this.#linger = clock.after(LINGER_MS + 1, () => this.changed());
    this.changed();
  }
}
