/** What each command does, and whether it adds risk or moves money: one row a command. */
import { createHash } from 'node:crypto';
import { cancelTargetOf } from './remote-target.ts';
import type { Executor } from '../../execution/executor.ts';
import { cancelId, type CancelOrder } from '../controls/cancel-control.ts';
import { sessionErrors } from '../errors.ts';
import { newId } from '../controls/limit-control.ts';
import { risksOfMove } from './remote-moves.ts';
import type { RemoteCommand, RemoteOrder } from './remote-order.ts';
import type { Denied } from '../../model/trading/deny-reason.ts';

export interface Act {
  /** For the human who confirms it; null: it needs no second step. */
  readonly addsRisk: string | null;
  /** Strategies and symbols that it lets trade again. */
  readonly lifts?: readonly string[];
  /** It runs before its row is written. */
  readonly isFirst?: true;
  readonly run: () => void;
}

export interface ActDeps {
  readonly executor: Executor;
  readonly strategies: readonly string[];
  readonly isSymbol: (symbol: string) => boolean;
  readonly cancel: (order: CancelOrder) => void;
  readonly stopStrategy: (tag: string) => void;
  readonly stopSession: () => void;
}

const LONGEST_MS = 3_600_000;
const NONE = 'no limit';
/**
 * It reaches logs, alarms and terminals: one line with visible text. No control characters, no characters that change
 * the text direction, no halves of a surrogate pair.
 */
const ONE_LINE = /^(?=.*[^\s\p{Default_Ignorable_Code_Point}\u2800])[^\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]+$/u;

function need<T>(value: T | undefined, field: string, command: string): T {
  if (value !== undefined) return value;
  throw sessionErrors.make('remote_field', `${command} needs ${field}`, { field });
}

export class RemoteActs {
  readonly #deps: ActDeps;
  readonly #rows: Readonly<Record<RemoteCommand, (order: RemoteOrder, now: number) => Act>> = {
    pause: (order) => this.#pause(order),
    resume: (order) => this.#resume(order),
    cancel: (order, now) => this.#cancel(order, now),
    'cancel-all': (order, now) => this.#cancelAll(order, now),
    flatten: (order) => this.#flatten(order),
    stop: (order) => this.#stop(order),
    kill: ({ reason }) => ({ addsRisk: null, isFirst: true, run: () => this.#deps.executor.kill(reason) }),
    'limits/override': (order, now) => this.#limit(order, now),
    'plan/apply': (order) => this.#plan(order),
    move: (order) => this.#move(order),
  };

  constructor(deps: ActDeps) {
    this.#deps = deps;
  }

  /** Throws what says that the order cannot be carried out now; nothing was done then. */
  of(order: RemoteOrder, now: number): Act {
    if (!ONE_LINE.test(order.reason))
      throw sessionErrors.make('remote_field', 'the reason is one line that says why', { field: 'reason' });
    return this.#rows[order.command](order, now);
  }

  /** Throws `remote_strategy`. */
  #tags(strategy: string | undefined): readonly string[] {
    const { strategies } = this.#deps;
    if (strategy === undefined) return strategies;
    if (strategies.includes(strategy)) return [strategy];
    const message = `no strategy ${strategy} runs here; there are ${strategies.join(', ')}`;
    throw sessionErrors.make('remote_strategy', message, { field: 'strategy' });
  }

  /** Throws `remote_symbol`. */
  #known(symbol: string | undefined): string | undefined {
    if (symbol === undefined || this.#deps.isSymbol(symbol)) return symbol;
    throw sessionErrors.make('remote_symbol', `the exchange has no ${symbol}`, { field: 'symbol' });
  }

  #pause({ strategy, reason }: RemoteOrder): Act {
    const tags = this.#tags(strategy);
    return { addsRisk: null, run: () => tags.forEach((tag) => this.#deps.executor.human.pause(tag, true, reason)) };
  }

  #resume({ strategy, symbol, reason }: RemoteOrder): Act {
    const { executor } = this.#deps;
    const { latches, pauses, halts } = executor.state;
    const tags = this.#tags(strategy);
    if (symbol !== undefined) {
      if (strategy !== undefined)
        throw sessionErrors.make('remote_field', 'resume takes a strategy or a symbol', { field: 'strategy' });
      this.#known(symbol);
      const why = halts.get(symbol);
      if (why === undefined) throw sessionErrors.make('remote_nothing', `${symbol} is not halted`, { field: 'symbol' });
      const addsRisk = `take orders of ${symbol} again, halted: ${why}`;
      return { addsRisk, lifts: [symbol], run: () => executor.human.resume(symbol, reason) };
    }
    const latched = tags.filter((tag) => latches.has(tag));
    const paused = tags.filter((tag) => pauses.has(tag));
    const killed = executor.state.killReason;
    if (killed === undefined && latched.length + paused.length === 0)
      throw sessionErrors.make('remote_nothing', 'nothing is paused, latched or killed');
    const risks = [
      ...(killed === undefined ? [] : [`take the kill switch off, which is on: ${killed}`]),
      ...latched.map((tag) => `let ${tag} trade again, latched: ${latches.get(tag) ?? ''}`),
    ];
    const lifted = paused.map((tag) => `lift the pause of ${tag}: ${pauses.get(tag) ?? ''}`);
    return {
      addsRisk: risks.length === 0 ? null : [...risks, ...lifted].join('; '),
      lifts: [...latched, ...paused],
      run: () => {
        if (killed !== undefined) executor.human.clearKill(reason);
        for (const tag of latched) executor.human.enable(tag, reason);
        for (const tag of paused) executor.human.pause(tag, false, reason);
      },
    };
  }

  #cancel(order: RemoteOrder, at: number): Act {
    const { executor, cancel } = this.#deps;
    const name = need(order.ref, 'ref', 'cancel');
    const target = cancelTargetOf(executor, this.#tags(order.strategy), name);
    const { reason } = order;
    return { addsRisk: null, run: () => cancel({ kind: 'cancel', id: cancelId(), reason, at, ...target }) };
  }

  #cancelAll({ strategy, symbol, reason }: RemoteOrder, at: number): Act {
    this.#tags(strategy);
    const wanted = { strategy: strategy ?? null, symbol: this.#known(symbol) ?? null, reason, at };
    return { addsRisk: null, run: () => this.#deps.cancel({ kind: 'cancelAll', id: cancelId(), ...wanted }) };
  }

  #flatten({ strategy, symbol }: RemoteOrder): Act {
    const tags = this.#tags(strategy);
    const action = { kind: 'flatten', ...(this.#known(symbol) === undefined ? {} : { symbol }) } as const;
    return { addsRisk: null, run: () => tags.forEach((tag) => this.#deps.executor.submit(tag, action)) };
  }

  /** A strategy is paused, too: no restart lets it take new risk before a human resumes it. */
  #stop({ strategy, reason }: RemoteOrder): Act {
    const { executor, stopSession, stopStrategy } = this.#deps;
    if (strategy === undefined) return { addsRisk: null, run: stopSession };
    const stop = (tag: string): void => {
      executor.human.pause(tag, true, reason);
      stopStrategy(tag);
    };
    return { addsRisk: null, run: () => this.#tags(strategy).forEach(stop) };
  }

  #limit({ limit, value, forMs = LONGEST_MS, reason }: RemoteOrder, now: number): Act {
    const { executor } = this.#deps;
    const path = need(limit, 'limit', 'limits/override');
    const wanted = need(value, 'value', 'limits/override');
    const override = { id: newId(), limit: path, value: wanted, until: now + forMs, reason };
    const { from, fromUntil, to, configured, allowsMore } = executor.human.checkOverride(override);
    const until = wanted === null ? '' : ` for ${Math.round(forMs / 1000)} s, then ${configured ?? NONE},`;
    const before = fromUntil === null ? '' : ` (until ${new Date(fromUntil).toISOString()})`;
    const what = `set ${path} to ${to ?? NONE}${until} instead of ${from ?? NONE}${before}`;
    return { addsRisk: allowsMore ? what : null, run: () => executor.human.overrideLimit(override) };
  }

  #plan({ decision, reason }: RemoteOrder): Act {
    const text = need(decision, 'decision', 'plan/apply');
    const at = text.indexOf('=');
    const [id, choice] = [text.slice(0, at), text.slice(at + 1)];
    if (at <= 0 || choice === '')
      throw sessionErrors.make('remote_field', 'decision is ID=CHOICE, as the plan shows it', { field: 'decision' });
    return { addsRisk: `decide ${id}: ${choice}`, run: this.#deps.executor.human.division(id, choice, reason) };
  }

  /** Through the treasury, which journals the intent first. */
  #move(order: RemoteOrder): Act {
    const { moneyByHand } = this.#deps.executor;
    const request = need(order.move, 'move', 'move');
    const ref = refOf(order.key);
    if (request.kind !== 'transfer') {
      const move = { request, ref, ...(order.secrets === undefined ? {} : { secrets: order.secrets }) };
      requireAllowed(moneyByHand.denialOf(move));
      return { addsRisk: risksOfMove(request), run: () => requireAllowed(moneyByHand.send(move)) };
    }
    // By what `limits.transfers` of a strategy allows.
    const [tag = '', ...others] = this.#tags(order.strategy);
    if (others.length > 0) need(order.strategy, 'strategy', 'transfer');
    const action = { ...request, ref };
    requireAllowed(moneyByHand.transferDenialOf(tag, action));
    const run = (): void => this.#deps.executor.submit(tag, action);
    return { addsRisk: `${risksOfMove(request)}, by the limits of ${tag}`, run };
  }
}

/** Throws `remote_denied`. */
function requireAllowed(denied: Denied | null): void {
  if (denied === null) return;
  const { reason, message, field } = denied;
  const named = field === undefined ? {} : { field };
  throw sessionErrors.make('remote_denied', `${reason}: ${message}`, { reason, ...named });
}

/** The same key never moves money twice, also after a restart. */
function refOf(key: string): string {
  return `by-hand-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}
