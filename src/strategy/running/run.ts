/**
 * Starts one strategy. Any throw ends it alone and is reported once as a `StrategyError`. Call after
 * `installVirtualTime`.
 */
import { isObservable, Subscription } from 'rxjs';
import type { Action } from '../../model/trading/action.ts';
import type { StrategyAccount } from '../../model/trading/account.ts';
import { isTidewireError } from '../../model/errors.ts';
import type { SignalSource } from '../../model/inbound-signal.ts';
import type { Clock, Logger, Random, StateStore } from '../../model/ports.ts';
import type { StrategyTreasury } from '../../model/funds/strategy-treasury.ts';
import { actionProblem, describe, withoutAsync } from '../action-shape.ts';
import { buildContext } from '../context/build-context.ts';
import type { Plot } from '../context/context.ts';
import type { StopReason, StrategyDefinition } from '../definition.ts';
import type { WarmupCandles } from '../context/history.ts';
import { strategyErrors } from '../errors.ts';
import { findInSource, strategyFailure, type StrategyError } from './failure.ts';
import type { InputLog } from '../inputs/input-log.ts';
import type { SourceLocation } from '../loading/location.ts';
import type { MarketStreams } from '../../streams/market-data.ts';
import { closeScope, enter, inside, leave, openScope, outside, type StrategyScope } from './scope.ts';
import { isOurObservable } from './virtual-time.ts';

export interface StartOptions {
  readonly definition: StrategyDefinition;
  readonly tag: string;
  /** The result of `resolveParams`. */
  readonly params: unknown;
  readonly market: MarketStreams;
  readonly account: StrategyAccount;
  /** Absent: trading-account balances alone, no P2P. */
  readonly treasury?: StrategyTreasury;
  readonly clock: Clock;
  readonly random: Random;
  readonly state: StateStore;
  /** Records the answers of what is asked while it runs, such as of models. Default: asked, not recorded. */
  readonly answer?: NonNullable<StrategyScope['answer']>;
  /** Default: none come. */
  readonly signals?: SignalSource;
  readonly log: Logger;
  /** `LoadedStrategy.files`, to find lines in stacks. Default: the definition's file. */
  readonly files?: ReadonlySet<string>;
  /** `LoadedStrategy.modules`. */
  readonly modules?: StrategyScope['modules'];
  /** `LoadedStrategy.inputs`. */
  readonly inputs?: InputLog;
  /** Receives plotted values, outside the strategy's scope. */
  readonly plot?: Plot;
  /** From before the start, by symbol (see `StrategyDefinition.history`). */
  readonly warmupCandles?: WarmupCandles;
  /** In order, outside the strategy's scope; possibly before `startStrategy` returns. */
  act(actions: readonly Action[]): void;
  /** Once, when its own error stopped it. `stop('error')` may follow. */
  fail(error: StrategyError): void;
}

/** `done`: its stream completed; its orders continue to work. */
export type StrategyStatus = 'running' | 'done' | 'failed' | 'stopped';

export interface RunningStrategy {
  readonly tag: string;
  readonly name: string;
  readonly status: StrategyStatus;
  readonly error: StrategyError | undefined;
  /** Unsubscribes everything; returns `onStop`'s actions once. */
  stop(reason: StopReason): readonly Action[];
}

/** The hint is the source line that holds the unknown kind. */
function badAction(
  value: unknown,
  problem: string,
  file: string | undefined,
): { readonly error: Error; readonly hint: SourceLocation | undefined } {
  const kind = typeof value === 'object' && value !== null ? (value as { readonly kind?: unknown }).kind : undefined;
  const hint = typeof kind === 'string' && file !== undefined ? findInSource(file, kind) : undefined;
  return { error: strategyErrors.make('strategy_action_invalid', problem), hint };
}

/** Only a livelock is the strategy's fault. */
function actFailure(count: number, thrown: unknown): Error {
  if (isTidewireError(thrown) && thrown.code === 'strategy_livelock') return thrown;
  const what = `the engine could not apply ${count} action(s): ${String(thrown)}`;
  return strategyErrors.make('strategy_act_failed', what, {}, thrown);
}

/** Further ones do not wait. */
const EARLY_MAX = 10_000;

class Run implements RunningStrategy {
  readonly tag: string;
  readonly name: string;
  status: StrategyStatus = 'running';
  error: StrategyError | undefined;
  readonly #options: StartOptions;
  readonly #scope: StrategyScope;
  #setupDone = false;
  /** Emitted while it is being subscribed; null: it is. */
  #early: unknown[] | null = null;
  #newest: readonly unknown[] = [undefined];
  #stopAsked = false;

  constructor(options: StartOptions) {
    const { definition, tag } = options;
    this.tag = tag;
    this.name = definition.name;
    this.#options = options;
    const own = definition.location?.file;
    this.#scope = {
      tag,
      files: options.files ?? new Set(own === undefined ? [] : [own]),
      ...(options.modules === undefined ? {} : { modules: options.modules }),
      ...(options.answer === undefined ? {} : { answer: options.answer }),
      ...(options.inputs === undefined ? {} : { inputs: options.inputs }),
      lifetime: new Subscription(),
      allowAsync: definition.allowAsync,
      eventName: 'setup',
      eventValue: undefined,
      closed: false,
      isStarting: true,
      fail: (thrown) => this.#fail(thrown, undefined),
    };
    openScope(this.#scope);
  }

  start(): void {
    const { definition, params, warmupCandles = new Map() } = this.#options;
    inside(this.#scope, 'setup', undefined, () => {
      const history = definition.history(params);
      const ports = { ...this.#options, warmupCandles, history };
      const actions: unknown = definition.setup(buildContext(this.#scope, params, ports, () => this.#setupDone));
      this.#setupDone = true;
      this.#scope.isStarting = false;
      if (actions === undefined) return;
      if (!isObservable(actions)) {
        throw strategyErrors.make(
          'strategy_definition',
          `setup must answer an Observable of actions or nothing, got ${describe(actions)}${withoutAsync(actions)}`,
        );
      }
      if (!isOurObservable(actions)) {
        throw strategyErrors.make(
          'rxjs_foreign_copy',
          "the Observable that setup answered comes from another copy of rxjs than tidewire's",
        );
      }
      this.#early = [];
      const subscription = actions.subscribe({
        next: (value) => this.#next(value),
        error: (thrown: unknown) => {
          this.#goOn();
          this.#scope.fail(thrown);
        },
        complete: () => {
          this.#goOn();
          this.#complete();
        },
      });
      this.#scope.lifetime.add(subscription);
      this.#goOn();
    });
  }

  stop(reason: StopReason): readonly Action[] {
    if (this.#stopAsked) return [];
    this.#stopAsked = true;
    const before = enter(this.#scope);
    this.#scope.eventName = `onStop ${reason}`;
    this.#scope.eventValue = undefined;
    try {
      const last: unknown = this.#options.definition.onStop(reason);
      return last === undefined ? [] : (this.#checked(last) ?? []);
    } catch (thrown) {
      this.#fail(thrown, undefined);
      return [];
    } finally {
      leave(before);
      this.#close('stopped');
    }
  }

  #next(value: unknown): void {
    if (this.#early !== null && this.#early.length < EARLY_MAX) this.#early.push(value);
    else {
      this.#goOn();
      this.#emit(value);
    }
  }

  /** What was emitted while its streams were being subscribed: from here on all of them hear what becomes of it. */
  #goOn(): void {
    const early = this.#early;
    if (early === null) return;
    this.#early = null;
    for (const value of early) this.#emit(value);
  }

  #emit(value: unknown): void {
    if (this.#scope.closed) return;
    const actions = this.#checked(value);
    if (actions === undefined || actions.length === 0) return;
    const before = enter('engine');
    try {
      this.#options.act(actions);
    } catch (thrown) {
      this.#fail(actFailure(actions.length, thrown), undefined);
    } finally {
      leave(before);
    }
  }

  /** Undefined, after failing the strategy, when one is not an action. */
  #checked(value: unknown): readonly Action[] | undefined {
    const actions: readonly unknown[] = Array.isArray(value) ? value : this.#alone(value);
    // By index: at each candle, and an iterator would be allocated.
    for (let index = 0; index < actions.length; index++) {
      const problem = actionProblem(actions[index]);
      if (problem === undefined) continue;
      this.#refuse(actions[index], problem);
      return undefined;
    }
    return actions as readonly Action[];
  }

  /** A target that is named again, as at each candle, makes no new array. */
  #alone(value: unknown): readonly unknown[] {
    if (value !== this.#newest[0]) this.#newest = [value];
    return this.#newest;
  }

  #refuse(action: unknown, problem: string): void {
    const { error, hint } = outside(() => badAction(action, problem, this.#options.definition.location?.file));
    this.#fail(error, hint);
  }

  #complete(): void {
    if (this.status === 'running') this.status = 'done';
  }

  #fail(thrown: unknown, hint: SourceLocation | undefined): void {
    if (this.status === 'failed' || this.status === 'stopped') return;
    const { definition } = this.#options;
    const source = { strategy: definition.name, defined: definition.location, scope: this.#scope, hint };
    const error = outside(() => strategyFailure(thrown, source));
    this.error = error;
    this.#close('failed');
    outside(() => this.#options.fail(error));
  }

  #close(status: StrategyStatus): void {
    if (this.status === 'running' || this.status === 'done') this.status = status;
    closeScope(this.#scope);
  }
}

/** Runs `setup` within this call. Strategy errors go to `fail`. */
export function startStrategy(options: StartOptions): RunningStrategy {
  const run = new Run(options);
  run.start();
  return run;
}
