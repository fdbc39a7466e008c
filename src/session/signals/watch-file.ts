/**
 * `--signal-file`: brings the lines of a growing file to the inbox. A line that cannot be delivered is reported with
 * its place. Lines already in the file at the start of the session count only with a fresh `ts`.
 */
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { FileTail, type TailEvent } from './file-tail.ts';
import type { SignalInbox } from './inbox.ts';
import { LINE_BYTES_MAX, parseSignalLine } from './signal-line.ts';

const LOOK_MS = 100;
/** A signal that is older is not acted on. */
const AGE_MS_MAX = 30_000;
/** Sentences a look. */
const TOLD_MAX = 20;

const place = z.object({ path: z.string(), offset: z.number().int().nonnegative() });

export interface SignalFileDeps {
  readonly path: string;
  readonly inbox: SignalInbox;
  /** Of the machine. */
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Runs its argument in session time. */
  readonly deliver: (run: () => void) => void;
}

class SignalFile {
  readonly #deps: SignalFileDeps;
  readonly #path: string;
  readonly #tail: FileTail;
  /** Lines that begin before this byte were there at the start; undefined before the first look. */
  #oldUntil: number | undefined;
  #isMissing = false;
  #told = 0;

  constructor(deps: SignalFileDeps) {
    this.#deps = deps;
    this.#path = resolve(deps.path);
    const kept = place.safeParse(JSON.parse(deps.inbox.get('file') ?? 'null')).data;
    const isKept = kept !== undefined && kept.path === this.#path;
    this.#tail = new FileTail(this.#path, isKept ? kept.offset : 0);
  }

  look(): void {
    const events = this.#read();
    // What was written while the bot was down is old as well.
    this.#oldUntil ??= this.#tail.size;
    if (events.length > 0) this.#deps.deliver(() => this.#take(events));
    if (this.#told > TOLD_MAX)
      this.#deps.logger.warn({}, `${this.#deps.path}: ${this.#told - TOLD_MAX} more lines were not delivered`);
    this.#told = 0;
  }

  #read(): readonly TailEvent[] {
    try {
      const events = this.#tail.read();
      this.#isMissing = false;
      return events;
    } catch (thrown) {
      if (!this.#isMissing) this.#warn(`cannot be read: ${String(thrown)}; it is looked for again`);
      this.#isMissing = true;
      return [];
    }
  }

  #take(events: readonly TailEvent[]): void {
    const { inbox } = this.#deps;
    // Before the strategies receive it, so that nothing is delivered twice.
    inbox.set('file', JSON.stringify({ path: this.#path, offset: this.#tail.offset }));
    for (const event of events) {
      if (event.kind === 'truncated') {
        this.#oldUntil = this.#tail.size;
        this.#warn('became shorter: it is read from its start');
      } else if (event.kind === 'too-long') this.#bad(event.at, `it has more than ${LINE_BYTES_MAX} bytes`);
      else if (event.text.trim() !== '') this.#line(event.text, event.at);
    }
  }

  #line(text: string, at: number): void {
    const parsed = parseSignalLine(text, at);
    if (typeof parsed === 'string') return this.#bad(at, parsed);
    const now = this.#deps.clock.now();
    const isOld = at < (this.#oldUntil ?? 0);
    if (parsed.ts === undefined && isOld) return this.#bad(at, 'it was there at the start and gives no ts');
    const ts = parsed.ts ?? now;
    if (Math.abs(now - ts) > AGE_MS_MAX)
      return this.#bad(at, `its ts is ${Math.round((now - ts) / 1000)} s ago; at most ${AGE_MS_MAX / 1000} s count`);
    if (!this.#deps.inbox.accept(Object.freeze({ ...parsed, ts })))
      this.#bad(at, `signal ${parsed.name} ${parsed.id} was delivered before`);
  }

  #bad(at: number, problem: string): void {
    if (++this.#told <= TOLD_MAX) this.#warn(`the line at byte ${at} is not delivered: ${problem}`);
  }

  #warn(what: string): void {
    this.#deps.logger.warn({ code: 'signal_invalid' }, `${this.#deps.path} ${what}`);
  }
}

/** Checks at once, then ten times a second. */
export function watchSignalFile(deps: SignalFileDeps): Cancel {
  const file = new SignalFile(deps);
  file.look();
  return deps.clock.every(LOOK_MS, () => file.look());
}
