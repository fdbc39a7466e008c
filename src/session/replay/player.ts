/**
 * Replays a recording to its strategies, with the witness's notes in their places. Timers and promises keep the order
 * of `paced-clock.ts`.
 */
import type { AccountEvent } from '../../model/trading/account.ts';
import type { Action } from '../../model/trading/action.ts';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import { Instruments } from '../../model/market/instrument.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import type { Logger, Random } from '../../model/ports.ts';
import { seededRandom } from '../../model/random.ts';
import type { TreasuryChange } from '../../model/funds/strategy-treasury.ts';
import { createDecoder, type FrameDecoder } from '../../recording/compile/decode.ts';
import type { FrameRow } from '../../recording/frames/frame-row.ts';
import type { SessionNote } from '../../recording/frames/note.ts';
import { VirtualClock } from '../../simulation/clock/virtual-clock.ts';
import { MarketData } from '../../streams/market-data.ts';
import type { StopReason } from '../../strategy/definition.ts';
import { startStrategy, type RunningStrategy } from '../../strategy/running/run.ts';
import { installTraps } from '../../strategy/traps.ts';
import { installVirtualTime } from '../../strategy/running/virtual-time.ts';
import { importWarnings, ownNamesOf, type PreparedStrategy } from '../strategies.ts';
import { answerOf, isDated } from './answer-text.ts';
import { recordedWindows, type RecordedWindows } from './recorded-windows.ts';
import { SessionInputs, type ProcessRecording, type SessionInput } from './session-inputs.ts';

export interface PlayOptions {
  readonly recording: ProcessRecording;
  readonly strategies: readonly PreparedStrategy[];
  readonly logger: Logger;
  readonly onActions: (ts: number, tag: string, actions: readonly Action[]) => void;
}

/** A sentence for each lost part, unrecorded global or failed strategy. */
export async function playRecording(options: PlayOptions): Promise<readonly string[]> {
  return new Player(options).play();
}

interface Part {
  readonly strategy: PreparedStrategy;
  readonly recorded: RecordedWindows;
  running: RunningStrategy | undefined;
  hasFailed: boolean;
}

interface Answer {
  readonly text: string | undefined;
  /** The same object while it has no present date. */
  readonly value: unknown;
}

type Told = Extract<SessionNote, { readonly note: 'told' }>;

class Player {
  readonly #options: PlayOptions;
  readonly #inputs: SessionInputs;
  readonly #clock: VirtualClock;
  readonly #instruments: Instruments;
  readonly #market: MarketData;
  readonly #decoder: FrameDecoder;
  readonly #random: Random;
  readonly #parts = new Map<string, Part>();
  readonly #answers = new Map<string, Answer>();
  readonly #failures: string[] = [];
  #events = 0;
  #decisions = 0;
  /** Time of the session's next act in the same turn. */
  #joinedUs: number | undefined;

  constructor(options: PlayOptions) {
    const { recording, logger } = options;
    this.#options = options;
    this.#inputs = new SessionInputs(recording);
    this.#clock = new VirtualClock(0);
    this.#instruments = new Instruments(recording.manifest.instruments);
    this.#market = new MarketData({ instruments: this.#instruments, clock: this.#clock, log: logger });
    this.#decoder = createDecoder(recording.manifest, this.#instruments);
    this.#random = seededRandom(recording.start.seed);
  }

  async play(): Promise<readonly string[]> {
    const trapped = importWarnings(this.#options.strategies);
    const clock = this.#clock;
    await this.#inputs.fill();
    clock.jumpTo(this.#inputs.peek()?.us ?? 0);
    const removeTime = installVirtualTime(clock, {
      unhandled: (thrown) => this.#options.logger.error({ reason: String(thrown) }, 'an error that no strategy owns'),
    });
    const traps = installTraps({
      clock,
      random: this.#random.fork('traps'),
      ownNames: ownNamesOf(this.#options.strategies),
      warn: ({ message }) => void trapped.push(message),
    });
    try {
      for (let isTurnOver = true; ; isTurnOver = this.#isTurnOver()) {
        if (isTurnOver && traps.promisePending) await traps.drain();
        if (isTurnOver && !this.#inputs.isAtHand) await this.#inputs.fill();
        const input = this.#inputs.peek();
        if (input === undefined) break;
        this.#goOn(input);
      }
      this.#stop('end');
    } finally {
      traps.remove();
      removeTime();
      this.#market.close();
    }
    return [...this.#inputs.problems, ...trapped, ...this.#failures];
  }

  #goOn(input: SessionInput): void {
    const clock = this.#clock;
    const toUs = this.#joinedUs ?? Infinity;
    this.#joinedUs = undefined;
    if (clock.step(Math.min(this.#timersUntil(input), toUs))) return;
    // Then the strategies saw nothing of it.
    if (toUs < Infinity && (input.us > toUs || isJoin(input))) clock.jumpTo(toUs);
    else this.#show(input);
  }

  /** Time until which timers run before this input. */
  #timersUntil(input: SessionInput): number {
    const { us } = input;
    if (input.kind === 'frame') return us;
    const { note } = input;
    switch (note.note) {
      case 'stalled':
        return -Infinity;
      case 'began':
      case 'stopping':
      case 'joined':
        return us;
      default: {
        // A note precedes timers of its instant (T4), unless a timer must first make its decision or question.
        const isCaused = note.note === 'answer' || note.within === true || this.#decisions < note.at[1];
        return isCaused ? us : us - 1;
      }
    }
  }

  /** Whether promises ran before the next act. Notes of one time share a turn. */
  #isTurnOver(): boolean {
    if (this.#joinedUs !== undefined) return false;
    const next = this.#inputs.peek();
    if (next !== undefined && this.#isNow(next)) {
      const { note } = next;
      if (isTold(note) && note.within !== true && note.at[1] <= this.#decisions) return false;
    }
    // Of the same act, so its join covers these too.
    this.#clock.advanceTo(this.#clock.nowUs());
    const after = this.#inputs.peek();
    if (after === undefined || !this.#isNow(after) || !isJoin(after)) return true;
    this.#show(after);
    return false;
  }

  #isNow(input: SessionInput): input is Extract<SessionInput, { kind: 'note' }> {
    return input.kind === 'note' && input.us <= this.#clock.nowUs();
  }

  #show(input: SessionInput): void {
    if (input.kind === 'frame') {
      this.#clock.jumpTo(input.us);
      this.#inputs.next();
      this.#decoder.row(input.row satisfies FrameRow, this.#hand);
      this.#clock.advanceTo(this.#clock.nowUs());
      return;
    }
    const { note, us } = input;
    if (note.note === 'stalled') {
      this.#inputs.next();
      this.#clock.jumpTo(us);
    } else if (note.note === 'joined') {
      this.#inputs.next();
      this.#clock.jumpTo(us);
      this.#joinedUs = note.toUs;
    } else if (note.note === 'began' || note.note === 'stopping') {
      this.#clock.jumpTo(us);
      this.#inputs.next();
      if (note.note === 'began') this.#start();
      else this.#stop(note.reason);
      this.#clock.advanceTo(this.#clock.nowUs());
    } else {
      this.#clock.jumpTo(us);
      this.#inputs.next();
      this.#tell(note);
    }
  }

  #tell(note: SessionNote): void {
    switch (note.note) {
      case 'gap': {
        const instrument = this.#instruments.find(note.symbol);
        const { reason, fromUs, open } = note;
        const nowUs = this.#clock.nowUs();
        const at = { exchangeUs: nowUs, receiveUs: nowUs };
        if (instrument !== undefined) this.#hand({ kind: 'gap', instrument, ...at, reason, fromUs, open });
        return;
      }
      case 'discarded':
        this.#market.discardBook(note.symbol, note.reason);
        return;
      case 'told':
        this.#retell(note);
        return;
      case 'answer':
        this.#answers.set(`${note.tag} ${note.ask}`, this.#read(note.answer));
        return;
      default:
    }
  }

  /** Notes since the event before come first. */
  readonly #hand = (event: MarketEvent): void => {
    this.#tellWhile((note) => note.within !== true && note.at[0] <= this.#events);
    this.#events++;
    this.#market.onEvent(event);
  };

  #tellWhile(belongs: (note: SessionNote) => boolean): void {
    for (let next = this.#inputs.peek(); next?.kind === 'note'; next = this.#inputs.peek()) {
      const { note } = next;
      if (!isTold(note) || !belongs(note)) return;
      this.#inputs.next();
      this.#tell(note);
    }
  }

  #retell({ tag, of, event }: Told): void {
    const recorded = this.#parts.get(tag)?.recorded;
    if (of === 'account') recorded?.account(frozen(event) as AccountEvent);
    else if (of === 'signal') recorded?.signal(frozen(event) as InboundSignal);
    else recorded?.treasury(frozen(event) as TreasuryChange);
  }

  /** The recorded answer if nothing else is due before. */
  #answer(tag: string, ask: string): { readonly answer: unknown } | undefined {
    const key = `${tag} ${ask}`;
    const next = this.#inputs.peek();
    if (next?.kind === 'note' && next.note.note === 'answer' && next.note.tag === tag && next.note.ask === ask) {
      const [events, decisions] = next.note.at;
      const isNow = next.us <= this.#clock.nowUs() || this.#clock.nextUs > next.us;
      if (isNow && events <= this.#events && decisions <= this.#decisions) {
        this.#inputs.next();
        this.#answers.set(key, this.#read(next.note.answer));
      }
    }
    const known = this.#answers.get(key);
    if (known === undefined) return undefined;
    return { answer: isDated(known.text) ? answerOf(known.text, this.#clock.nowUs()) : known.value };
  }

  #read(text: string | undefined): Answer {
    return { text, value: answerOf(text, this.#clock.nowUs()) };
  }

  #start(): void {
    for (const strategy of this.#options.strategies) {
      const { tag, loaded, params } = strategy;
      const recorded = recordedWindows(this.#instruments, (ask) => this.#answer(tag, ask));
      const { account, treasury, state, warmup, signals, answer } = recorded.windows;
      const part: Part = { strategy, recorded, running: undefined, hasFailed: false };
      this.#parts.set(tag, part);
      part.running = startStrategy({
        definition: loaded.definition,
        files: loaded.files,
        modules: loaded.modules,
        inputs: loaded.inputs,
        tag,
        params,
        market: this.#market,
        account,
        treasury,
        signals,
        answer,
        clock: this.#clock,
        random: this.#random.fork(`strategy/${tag}`),
        state,
        log: this.#options.logger.child({ strategy: tag }),
        warmupCandles: warmup,
        act: (actions) => this.#act(tag, actions),
        fail: (error) => {
          this.#options.logger.warn({ strategy: tag, code: error.code }, error.message);
          part.hasFailed = true;
          this.#failures.push(`${tag} fails in the replay: ${error.message}`);
          if (part.running !== undefined) this.#stopPart(part, 'error');
        },
      });
      if (part.hasFailed) this.#stopPart(part, 'error');
    }
  }

  #act(tag: string, actions: readonly Action[]): void {
    this.#decisions++;
    this.#tellWhile((note) => note.within === true && note.at[1] <= this.#decisions);
    // After nested decisions, as in the engine.
    this.#options.onActions(this.#clock.now(), tag, actions);
  }

  #stop(reason: StopReason): void {
    for (const part of this.#parts.values()) this.#stopPart(part, reason);
  }

  #stopPart(part: Part, reason: StopReason): void {
    const last = part.running?.stop(reason) ?? [];
    if (last.length > 0) this.#act(part.strategy.tag, last);
  }
}

function isTold({ note }: SessionNote): boolean {
  return note === 'told' || note === 'gap' || note === 'discarded';
}

function isJoin(input: SessionInput): boolean {
  return input.kind === 'note' && input.note.note === 'joined';
}

function frozen(event: Readonly<Record<string, unknown>>): object {
  for (const value of Object.values(event)) Object.freeze(value);
  return Object.freeze(event);
}
