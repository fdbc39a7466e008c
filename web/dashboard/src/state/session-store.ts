/** One open session in the page: a snapshot and the entries after it. What entries do not say is read again, seldom. */
import { batch, signal } from '@preact/signals';
import { read, sessionPath, type ApiError } from '../wire/api.ts';
import { SessionStream, type LinkState as StreamState } from '../wire/stream.ts';
import type {
  EntryPage,
  EntryRow,
  EquityCurve,
  FillPage,
  FillRow,
  SessionDetail,
  StreamMessage,
  SubscribeMessage,
} from '../wire/types.ts';
import { Books } from './books.ts';
import { EquityCurveStore } from './curve.ts';
import { fillOf } from './fills.ts';
import { OwnOrders } from './own-orders.ts';

/** `over`: the session does not run, and nothing comes any more. */
export type LinkState = StreamState | 'over';

const FILLS_MAX = 2_000;
const ENTRIES_MAX = 600;
const ENTRIES_LAST = 200;
/** Kinds after which positions, limits or states differ in a way that only the server computes. */
const TELLING = new Set([
  'program',
  'kill',
  'pause',
  'latch',
  'halt',
  'limit-override',
  'restored',
  'divided',
  'session',
  'widened',
  'withheld',
  'protected',
  'alarm',
  'stop',
  'gate',
]);
const SHOW_MS = 120;
const SOON_MS = 250;
const SELDOM_MS = 2_000;

type Message<Type extends StreamMessage['type']> = Extract<StreamMessage, { type: Type }>;

export class SessionStore {
  readonly id: string;
  readonly detail = signal<SessionDetail | null>(null);
  readonly error = signal<ApiError | null>(null);
  readonly link = signal<LinkState>('connecting');
  /** When the last message came, by the clock of this machine; null before the first. */
  readonly heardAt = signal<number | null>(null);
  readonly orders = signal<SessionDetail['orders']>([]);
  readonly fills = signal<readonly FillRow[]>([]);
  readonly entries = signal<readonly EntryRow[]>([]);
  readonly seq = signal<number | undefined>(undefined);
  readonly books = new Books();
  readonly curve = new EquityCurveStore();
  readonly #own = new OwnOrders();
  #stream: SessionStream | undefined;
  #wanted: SubscribeMessage;
  #next: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #closed = false;
  #isOrderChanged = false;
  #newFills: FillRow[] = [];
  #newEntries: EntryRow[] = [];
  #shown: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, wanted: SubscribeMessage) {
    this.id = id;
    this.#wanted = wanted;
    addEventListener('online', this.#online);
    this.#load().catch((thrown: ApiError) => (this.error.value = thrown));
  }

  subscribe(wanted: SubscribeMessage): void {
    this.#wanted = wanted;
    this.#stream?.subscribe(wanted);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#next);
    clearTimeout(this.#shown);
    removeEventListener('online', this.#online);
    this.#stream?.close();
  }

  /** After a command: what it changed is read at once. */
  refresh(): void {
    this.#later(0);
  }

  readonly #online = (): void => this.#stream?.retry();

  async #load(): Promise<void> {
    const path = sessionPath(this.id);
    const [detail, equity] = await Promise.all([
      read<SessionDetail>(path),
      read<EquityCurve>(`${path}/equity`),
      this.#readFills(),
    ]);
    batch(() => {
      this.curve.load(equity.points);
      if (this.detail.peek() === null) this.#take(detail);
      this.error.value = null;
      this.#follow(detail.running);
    });
  }

  /** One that is over sends nothing: silence is no lost connection there. */
  #follow(isRunning: boolean): void {
    if (this.#closed) return;
    if (!isRunning) {
      this.#stream?.close();
      this.#stream = undefined;
      this.link.value = 'over';
      if (this.entries.peek().length === 0)
        this.#readEntries().catch((thrown: ApiError) => (this.error.value = thrown));
      return;
    }
    if (this.#stream !== undefined) return;
    this.#stream = new SessionStream(this.id, this.#wanted, {
      onMessage: (message) => this.#message(message),
      onState: (state) => this.#state(state),
      after: () => this.seq.peek(),
    });
  }

  #take(detail: SessionDetail): void {
    this.detail.value = detail;
    this.#own.load(detail.orders);
    this.orders.value = detail.orders;
  }

  async #readFills(): Promise<void> {
    const { fills } = await read<FillPage>(`${sessionPath(this.id)}/fills`, { limit: FILLS_MAX });
    this.#mergeFills(fills);
  }

  /** The last ones of a session that is over. */
  async #readEntries(): Promise<void> {
    const after = Math.max(0, (this.detail.peek()?.seq ?? 0) - ENTRIES_LAST);
    const { entries } = await read<EntryPage>(`${sessionPath(this.id)}/entries`, { after, limit: ENTRIES_LAST });
    this.entries.value = entries;
  }

  #mergeFills(more: readonly FillRow[]): void {
    const known = new Set(more.map(({ seq }) => seq));
    this.fills.value = [...more, ...this.fills.peek().filter(({ seq }) => !known.has(seq))]
      .toSorted((a, b) => a.seq - b.seq)
      .slice(-FILLS_MAX);
  }

  #state(state: StreamState): void {
    if (this.link.peek() === 'lost' && state === 'open') this.#later(0);
    this.link.value = state;
  }

  #message(message: StreamMessage): void {
    batch(() => {
      this.heardAt.value = Date.now();
      switch (message.type) {
        case 'snapshot':
          this.seq.value = message.seq;
          this.#take(message.detail);
          // Entries go on after it; fills between what was read and it come by no entry.
          this.#readFills().catch((thrown: ApiError) => (this.error.value = thrown));
          return;
        case 'entry':
          return this.#entry(message);
        case 'market':
          return this.books.put(message.books);
        case 'equity':
          return this.#equity(message);
        case 'health':
          return this.#patch({ streams: message.streams, gates: message.gates });
        case 'error':
          return;
      }
    });
  }

  /** Entries are many: what is shown of them changes a few times a second. */
  #entry(row: Message<'entry'>): void {
    if (row.seq <= (this.seq.peek() ?? 0)) return;
    this.seq.value = row.seq;
    this.#isOrderChanged = this.#own.apply(row) || this.#isOrderChanged;
    const fill = fillOf(row, (intentId) => this.#own.nameOf(intentId));
    if (fill !== null) this.#newFills.push(fill);
    this.#newEntries.push(row);
    this.#shown ??= setTimeout(() => this.#show(), SHOW_MS);
    this.#later(TELLING.has(row.kind) ? SOON_MS : SELDOM_MS);
  }

  #show(): void {
    this.#shown = undefined;
    batch(() => {
      if (this.#isOrderChanged) this.orders.value = [...this.#own.rows];
      if (this.#newFills.length > 0) this.#mergeFills(this.#newFills);
      this.entries.value = [...this.entries.peek(), ...this.#newEntries].slice(-ENTRIES_MAX);
    });
    this.#isOrderChanged = false;
    this.#newFills = [];
    this.#newEntries = [];
  }

  /** Every figure of money together, so that no two of them are of different moments. */
  #equity({ ts, equity, netPnl, heldDrift, today, fees, positions, strategies }: Message<'equity'>): void {
    this.curve.add({ ts, equity, netPnl, heldDrift });
    const results = new Map(strategies.map((one) => [one.tag, one.netPnl]));
    const own = this.detail.peek()?.strategies ?? [];
    this.#patch({
      equity,
      netPnl,
      heldDrift,
      today,
      fees,
      positions,
      strategies: own.map((one) => ({ ...one, netPnl: results.get(one.tag) ?? null })),
    });
  }

  #patch(change: Partial<SessionDetail>): void {
    const detail = this.detail.peek();
    if (detail !== null) this.detail.value = { ...detail, ...change };
  }

  /** Reads what the server computes, once for all that asked before it is due. */
  #later(ms: number): void {
    const due = performance.now() + ms;
    if (this.#closed || due >= this.#dueAt) return;
    clearTimeout(this.#next);
    this.#dueAt = due;
    this.#next = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      read<SessionDetail>(sessionPath(this.id)).then(
        // Orders are those of the entries: what was read may be older than the newest of them.
        (detail) => batch(() => this.#reread(detail)),
        (thrown: ApiError) => (this.error.value = thrown),
      );
    }, ms);
  }

  #reread(detail: SessionDetail): void {
    this.error.value = null;
    const isCurrent = detail.seq >= (this.seq.peek() ?? 0);
    if (isCurrent) this.#take(detail);
    else this.detail.value = detail;
    this.#follow(detail.running);
  }
}
