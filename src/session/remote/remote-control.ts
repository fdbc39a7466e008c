/**
 * Carries out commands that come from outside the process, in session time, by the ways that the terminal uses. Each
 * writes a row that says who ordered it and why, and is answered once that row is durable:
 *
 *   order ─▶ two steps, where it adds risk ─▶ row `remote-command` ─▶ executor ─▶ durable ─▶ seq
 */
import type { Executor } from '../../execution/executor.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import type { RecordEntry } from '../../model/entries/journal.ts';
import type { Json } from '../../model/text/json.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import { REMOTE_COMMAND } from '../../spine/command-keys.ts';
import { carryOutCancel } from '../controls/cancel-control.ts';
import { sessionErrors } from '../errors.ts';
import { newId } from '../controls/limit-control.ts';
import type { CommittedRows } from '../upkeep/observed-journal.ts';
import { RemoteActs, type Act } from './remote-acts.ts';
import { REMOTE_FAILURE, type RemoteAnswer, type RemoteFailure, type RemoteOrder } from './remote-order.ts';
import { Stops } from './stops.ts';
import { TwoSteps } from './two-steps.ts';

export interface RemoteControlDeps {
  readonly executor: Executor;
  readonly strategies: readonly string[];
  readonly isSymbol: (symbol: string) => boolean;
  readonly clock: Clock;
  /** Session time, Unix ms. */
  readonly now: () => number;
  readonly logger: Logger;
  /** Runs it in session time. */
  readonly deliver: (run: () => void) => void;
  readonly stopStrategy: (tag: string) => void;
  /** Ends the session in order. */
  readonly stopSession: () => void;
}

/** A journal that does not write within this time has failed. */
const DURABLE_MS = 5_000;

interface Waiting {
  readonly entry: RecordEntry;
  /** What its row could not be followed by. */
  failure: RemoteFailure | null;
  readonly done: (answer: RemoteAnswer) => void;
}

export class RemoteControl {
  readonly #deps: RemoteControlDeps;
  readonly #acts: RemoteActs;
  readonly #steps = new TwoSteps();
  readonly #stops: Stops;
  readonly #waiting = new Set<Waiting>();

  constructor(deps: RemoteControlDeps) {
    this.#deps = deps;
    const { executor, strategies, isSymbol, logger, stopStrategy, stopSession } = deps;
    this.#stops = new Stops(executor);
    this.#acts = new RemoteActs({
      executor,
      strategies,
      isSymbol,
      stopStrategy,
      stopSession,
      cancel: (wanted) => carryOutCancel({ executor, strategies, logger }, wanted),
    });
  }

  /** To be called by the journal with what has become durable. */
  committed(rows: CommittedRows): void {
    const { ts, entries, lastSeq } = rows;
    this.#stops.committed(rows);
    for (const waiting of this.#waiting) {
      const at = entries.indexOf(waiting.entry);
      if (at === -1) continue;
      const seq = lastSeq - (entries.length - 1 - at);
      waiting.done(waiting.failure ?? { kind: 'done', seq, ts });
    }
  }

  /** Never rejects. */
  carryOut(order: RemoteOrder): Promise<RemoteAnswer> {
    return new Promise((done) => {
      this.#deps.deliver(() => {
        try {
          this.#order(order, done);
        } catch (thrown) {
          done(failureOf(thrown));
        }
      });
    });
  }

  #order(order: RemoteOrder, done: (answer: RemoteAnswer) => void): void {
    const { clock, now, logger } = this.#deps;
    const act = this.#acts.of(order, now());
    const { addsRisk: what, lifts = [] } = act;
    if (what !== null) {
      const meaning = `${what} (${this.#stops.markOf(lifts)})`;
      if (order.code === undefined) {
        done({ kind: 'confirm', ...this.#steps.propose(order, meaning, clock.now()), what });
        return;
      }
      this.#steps.confirm(order, order.code, meaning, clock.now());
    }
    logger.warn({ command: order.command, who: order.who, reason: order.reason }, 'a command from outside');
    this.#perform(order, act, done);
  }

  #perform(order: RemoteOrder, { run, isFirst }: Act, done: (answer: RemoteAnswer) => void): void {
    const { executor, clock } = this.#deps;
    const entry = entryOf(order);
    const waiting: Waiting = {
      entry,
      failure: null,
      done: (answer) => {
        this.#waiting.delete(waiting);
        cancelWait();
        done(answer);
      },
    };
    const cancelWait = clock.after(DURABLE_MS, () => waiting.done(failureOf(this.#notDurable())));
    this.#waiting.add(waiting);
    try {
      // A kill does not wait for its row.
      if (isFirst) run();
      // An answered row without its effect would be carried out never, and one that failed be answered as done.
      executor.together(() => {
        executor.record(entry);
        try {
          if (!isFirst) run();
        } catch (thrown) {
          waiting.failure = failureOf(thrown);
          executor.record(failedEntry(order.key, waiting.failure));
        }
      });
    } catch (thrown) {
      waiting.done(failureOf(thrown));
      return;
    }
    if (executor.journalFailure !== undefined) waiting.done(failureOf(this.#notDurable()));
  }

  #notDurable(): Error {
    const why = this.#deps.executor.journalFailure?.message ?? 'it did not write within five seconds';
    return sessionErrors.make('remote_not_durable', `the journal cannot be written: ${why}`);
  }
}

/** Without the code and the secrets. */
function entryOf(order: RemoteOrder): RecordEntry {
  const { code, secrets: _secrets, move, ...said } = order;
  const moved: Readonly<Record<string, Json>> = move === undefined ? {} : { move: { ...move } };
  const data = { id: newId(), ...said, ...moved, confirmed: code !== undefined };
  return { kind: 'record', name: REMOTE_COMMAND, data };
}

function failedEntry(key: string, failure: RemoteFailure): RecordEntry {
  return { kind: 'record', name: REMOTE_FAILURE, data: { key, failure: { ...failure } } };
}

/** What errors of limits and decisions are about. */
const FIELDS: Readonly<Record<string, string>> = {
  limit_unknown: 'limit',
  limit_value: 'value',
  decision_not_open: 'decision',
  decision_choice: 'decision',
};

function failureOf(thrown: unknown): RemoteFailure {
  if (!isTidewireError(thrown))
    return { kind: 'failed', code: 'internal', message: messageOf(thrown), remedy: 'Please report this as a bug.' };
  const { code, message, remedy, details } = thrown;
  const field = details['field'] ?? FIELDS[code];
  return { kind: 'failed', code, message, remedy, ...(typeof field === 'string' ? { field } : {}) };
}
