/** Executor events as alerts: a page where a human must act, else a digest. */
import type { AlarmEvent, ExecutorEvent, FillEvent } from '../../spine/events.ts';
import type { Executor } from '../../execution/executor.ts';
import type { GateEntry } from '../../model/entries/journal.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { alarmActions, gateAction, OUTAGE_ACTION, OUTAGE_MS } from './actions.ts';
import { sinkSecrets, type AlertTopic, type SinkOptions } from './options.ts';
import { SinkQueue } from './sink-queue.ts';
import { sinkOf, type AlertMessage } from './sinks.ts';

const REPEAT_MS = 1_800_000;
const DIGEST_MS = 900_000;
const FILLS_MS = 250;
const FILLS_MAX = 50;
const CLOSE_MS = 3_000;
const TEXT_MAX = 4_000;

export interface AlertServiceDeps {
  readonly sinks: readonly SinkOptions[];
  readonly session: string;
  readonly mode: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Page {
  at: number;
  count: number;
}

export class AlertService {
  readonly #deps: AlertServiceDeps;
  readonly #queues: readonly { readonly on: ReadonlySet<AlertTopic>; readonly queue: SinkQueue }[];
  readonly #secrets: readonly string[];
  /** By code and text without its numbers. */
  readonly #pages = new Map<string, Page>();
  readonly #minor = new Map<string, { count: number; text: string }>();
  #fills: string[] = [];
  #fillCount = 0;
  #stopDigest: Cancel = () => {};
  #stopFills: Cancel = () => {};
  #stopOutage: Cancel | null = null;

  constructor(deps: AlertServiceDeps) {
    const { clock, logger } = deps;
    this.#deps = deps;
    this.#secrets = sinkSecrets(deps.sinks);
    this.#queues = deps.sinks.map((sink, index) => ({
      on: new Set(sink.on),
      queue: new SinkQueue({ name: `${sink.kind} ${index + 1}`, deliver: sinkOf(sink), clock, logger }),
    }));
    if (deps.sinks.length > 0) this.#stopDigest = clock.every(DIGEST_MS, () => this.#digest());
  }

  /** Messages that no sink has taken yet. */
  get waiting(): number {
    return this.#queues.reduce((sum, { queue }) => sum + queue.waiting, 0);
  }

  watch(executor: Pick<Executor, 'listen'>): Cancel {
    return this.#queues.length === 0 ? () => {} : executor.listen((event) => this.event(event));
  }

  event(event: ExecutorEvent): void {
    if (event.kind === 'alarm') this.#alarm(event);
    else if (event.kind === 'gate') this.#gate(event.entry);
    else if (event.kind === 'fill') this.#fill(event);
  }

  page(code: string, text: string, action: string): void {
    const { clock } = this.#deps;
    const key = `${code} ${text.replaceAll(/\d+(\.\d+)?/g, '#')}`;
    const known = this.#pages.get(key);
    if (known !== undefined && clock.now() - known.at < REPEAT_MS) {
      known.count++;
      return;
    }
    const times = known === undefined || known.count === 0 ? '' : ` (${known.count} times more since the last page)`;
    this.#pages.delete(key);
    this.#pages.set(key, { at: clock.now(), count: 0 });
    if (this.#pages.size > 1_000) this.#pages.delete(this.#pages.keys().next().value ?? '');
    this.#tell({ topic: 'page', code, text: `${text}${times}`, action });
  }

  session(text: string): void {
    this.#tell({ topic: 'session', code: 'session', text, action: null });
  }

  async close(): Promise<void> {
    this.#stopDigest();
    this.#stopFills();
    this.#stopOutage?.();
    this.#sendFills();
    this.#digest();
    await Promise.all(this.#queues.map(({ queue }) => queue.close(CLOSE_MS)));
  }

  #alarm({ code, message }: AlarmEvent): void {
    const action = alarmActions[code];
    if (action === null) this.#note(code, message);
    else this.page(code, message, action);
  }

  #gate({ gate, reason, state, message }: GateEntry): void {
    if (reason === 'stream_down' && state === 'closed')
      this.#stopOutage ??= this.#deps.clock.after(OUTAGE_MS, () => this.page('outage', message, OUTAGE_ACTION));
    else if (state === 'open' && gate === 'reconcile') {
      this.#stopOutage?.();
      this.#stopOutage = null;
    }
    if (reason === null) return;
    const action = gateAction(reason);
    if (action === null) this.#note(reason, message);
    else this.page(reason, message, action);
  }

  #note(code: string, text: string): void {
    const known = this.#minor.get(code);
    if (known === undefined) this.#minor.set(code, { count: 1, text });
    else {
      known.count++;
      known.text = text;
    }
  }

  #digest(): void {
    if (this.#minor.size === 0) return;
    const lines = [...this.#minor].map(([code, { count, text }]) => `${count} × ${code}, the last: ${text}`);
    this.#minor.clear();
    this.#tell({ topic: 'digest', code: 'digest', text: lines.join('\n'), action: null });
  }

  #fill({ strategy, fill }: FillEvent): void {
    if (!this.#queues.some(({ on }) => on.has('fill'))) return;
    const { side, quantity, symbol, price, fee, feeCurrency, ref } = fill;
    this.#fillCount++;
    if (this.#fills.length < FILLS_MAX)
      this.#fills.push(`${strategy}: ${side} ${quantity} ${symbol} at ${price}, fee ${fee} ${feeCurrency} (${ref})`);
    if (this.#fillCount === 1) this.#stopFills = this.#deps.clock.after(FILLS_MS, () => this.#sendFills());
  }

  #sendFills(): void {
    if (this.#fillCount === 0) return;
    const more = this.#fillCount - this.#fills.length;
    const text = [...this.#fills, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
    this.#fills = [];
    this.#fillCount = 0;
    this.#tell({ topic: 'fill', code: 'fill', text, action: null });
  }

  #tell(about: Pick<AlertMessage, 'topic' | 'code' | 'text' | 'action'>): void {
    const { session, mode, clock } = this.#deps;
    const message = { ...about, text: this.#clean(about.text), ts: clock.now(), session, mode };
    for (const { on, queue } of this.#queues) if (on.has(about.topic)) queue.add(message);
  }

  #clean(text: string): string {
    const known = this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
    return known.replaceAll(/[0-9a-f]{64}/gi, '***').slice(0, TEXT_MAX);
  }
}
