/**
 * Records what strategies see other than by frames, each at its place, for `replay`. Written after the session's turn,
 * and before the next frame.
 */
import type { MarketSink } from '../../model/market/market-event.ts';
import type { Cancel, Clock } from '../../model/ports.ts';
import type { RecordingNote, SessionFiles, SessionNote, SessionStart } from '../../recording/frames/note.ts';
import type { Recorder } from '../../recording/frames/recorder.ts';
import type { StopReason } from '../../strategy/definition.ts';
import { windowsThrough, type StrategyWindows } from '../decisions/strategy-windows.ts';
import { answerText } from './answer-text.ts';

const WAITING_MAX = 1000;
/** A forgotten answer is recorded again. */
const ANSWERS_MAX = 10_000;

type Unplaced<Note> = Note extends SessionNote ? Omit<Note, 'at' | 'within'> : never;

interface Entry {
  readonly us: number;
  readonly note: SessionNote;
}

export interface WitnessDeps {
  readonly recorder: Pick<Recorder, 'note'>;
  /** Of the session. */
  readonly clock: Pick<Clock, 'nowUs'>;
  /** Of the machine. */
  readonly real: Pick<Clock, 'after'>;
}

export class Witness {
  readonly #deps: WitnessDeps;
  readonly #answers = new Map<string, string | undefined>();
  #waiting: Entry[] = [];
  #disarm: Cancel = () => {};
  #events = 0;
  #decisions = 0;
  #within = 0;
  #hasAccount = true;
  #hasBegun = false;

  constructor(deps: WitnessDeps) {
    this.#deps = deps;
  }

  begin(start: SessionStart): void {
    this.#hasAccount = start.account;
    this.#deps.recorder.note(start);
  }

  /** Gets each market event just before the strategies. */
  readonly sink: MarketSink = (event) => {
    if (event.kind === 'gap') {
      const { instrument, reason, fromUs, open } = event;
      this.#add({ note: 'gap', symbol: instrument.symbol, reason, fromUs, open });
    }
    this.#events++;
  };

  discarded(symbol: string, reason: string): void {
    this.#add({ note: 'discarded', symbol, reason });
  }

  stalled(): void {
    this.#add({ note: 'stalled' });
  }

  /** Acts at these times share a turn. */
  joined(fromUs: number, toUs: number): void {
    if (this.#hasBegun) this.#add({ note: 'joined', toUs }, fromUs);
  }

  began(): void {
    this.#hasBegun = true;
    this.#add({ note: 'began' });
  }

  /** Once all of them have started. */
  read(strategies: SessionFiles): void {
    if (strategies.every(({ files }) => Object.keys(files).length === 0)) return;
    this.flush();
    this.#deps.recorder.note({ note: 'inputs', strategies }, 0, this.#deps.clock.nowUs());
  }

  stopping(reason: StopReason): void {
    this.#add({ note: 'stopping', reason });
  }

  readonly carryOut = (work: () => void): void => {
    this.#decisions++;
    this.#within++;
    try {
      work();
    } finally {
      this.#within--;
    }
  };

  readonly windows = (tag: string, windows: StrategyWindows): StrategyWindows => {
    if (!this.#hasAccount) return windows;
    return windowsThrough(windows, {
      answer: (ask, live) => {
        const answer = live();
        this.#answered(tag, ask, answer);
        return answer;
      },
      account: (event) => this.#add({ note: 'told', tag, of: 'account', event: { ...event } }),
      treasury: (change) => this.#add({ note: 'told', tag, of: 'treasury', event: { ...change } }),
      signal: (signal) => this.#add({ note: 'told', tag, of: 'signal', event: { ...signal } }),
    });
  };

  readonly flush = (): void => {
    if (this.#waiting.length === 0) return;
    this.#disarm();
    const entries = this.#waiting;
    this.#waiting = [];
    for (const { us, note } of entries) this.#deps.recorder.note(note, 0, us);
  };

  #answered(tag: string, ask: string, answer: unknown): void {
    const key = `${tag} ${ask}`;
    const text = answerText(answer, this.#deps.clock.nowUs());
    if (this.#answers.get(key) === text && this.#answers.has(key)) return;
    this.#answers.set(key, text);
    if (this.#answers.size > ANSWERS_MAX) this.#answers.delete(this.#answers.keys().next().value ?? key);
    this.#add({ note: 'answer', tag, ask, ...(text === undefined ? {} : { answer: text }) });
  }

  #add(note: Unplaced<RecordingNote>, us = this.#deps.clock.nowUs()): void {
    const at = [this.#events, this.#decisions] as const;
    const placed = { ...note, at, ...(this.#within > 0 ? { within: true as const } : {}) };
    this.#waiting.push({ us, note: placed });
    if (this.#waiting.length >= WAITING_MAX) this.flush();
    else if (this.#waiting.length === 1) this.#disarm = this.#deps.real.after(0, this.flush);
  }
}
