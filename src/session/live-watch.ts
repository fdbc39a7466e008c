/**
 * Marks a live account to market: balances and fills as the executor learns them, mids as the strategies see them. The
 * curve begins with the first balances. Balances come currency by currency; an account is only valued when all that came
 * together are in, else one leg of a trade alone would look like a gain or a loss. Money that was moved in or out is a flow
 * at the time at which the balance showed it, and no profit.
 */
import type { Balance, CashFlow } from '../model/account.ts';
import type { Subscription } from 'rxjs';
import type { RunningSession } from './realtime.ts';
import type { AccountValues, RunRecorder } from './run-recorder.ts';

const TRADING = 'unified-trading';

/** Changes of totals that are remembered until a flow names one of them. */
const STEPS_MAX = 1_000;
/** A flow may be told this long after, or before, the balance shows it. */
const APART_MS = 180_000;
/** Of an amount: balances come as numbers here. */
const EQUAL = 1e-9;

interface Step {
  readonly at: number;
  readonly currency: string;
  readonly change: number;
}

export class LiveWatch {
  readonly #recorder: RunRecorder;
  readonly #totals = new Map<string, number>();
  readonly #subscriptions: Subscription[] = [];
  readonly #steps: Step[] = [];
  /** Told before the balance has shown them. */
  #awaited: { readonly flow: CashFlow; readonly value: number }[] = [];
  #session: RunningSession | null = null;
  #begun = false;
  #awaiting = false;
  #lastMs: number;

  constructor(recorder: RunRecorder, fromMs: number) {
    this.#recorder = recorder;
    this.#lastMs = fromMs;
  }

  start(session: RunningSession): void {
    this.#session = session;
    for (const symbol of session.symbols) {
      this.#subscriptions.push(
        session.stream.market.top(symbol).subscribe(({ mid }) => {
          this.#recorder.mark(this.#at(session.clock.now()), symbol, mid);
          if (!this.#awaiting) this.#begin();
        }),
      );
    }
    session.engine.executor.listen((event) => {
      if (event.kind === 'balance') this.#balance(event.balance);
      if (event.kind === 'fill' && this.#begun) this.#whenTold();
      if (event.kind === 'cash-flow' && event.value !== null) this.#flow(event.flow, event.value);
      if (event.kind === 'funding') this.#recorder.funded(this.#at(session.clock.now()), event.payment.amount);
    });
  }

  end(atMs: number): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    if (!this.#begun) this.#recorder.begin(this.#at(atMs), this.#values());
    this.#value();
    // The balance may have shown them together with something else.
    for (const { flow, value } of this.#awaited) this.#recorder.flow(this.#at(flow.at), value);
    this.#recorder.end(atMs);
  }

  #balance({ account, currency, total }: Balance): void {
    if (account !== TRADING) return;
    const change = Number(total) - (this.#totals.get(currency) ?? 0);
    this.#totals.set(currency, Number(total));
    if (this.#begun) this.#step({ at: this.#session?.clock.now() ?? this.#lastMs, currency, change });
    this.#whenTold();
  }

  #step(step: Step): void {
    const awaited = this.#awaited.find(({ flow }) => isStepOf(step, flow));
    if (awaited !== undefined) {
      this.#awaited = this.#awaited.filter((other) => other !== awaited);
      this.#recorder.flow(this.#at(step.at), awaited.value);
      return;
    }
    this.#steps.push(step);
    if (this.#steps.length > STEPS_MAX) this.#steps.shift();
  }

  /** What came before the curve began is in its first point. */
  #flow(flow: CashFlow, value: number): void {
    if (!this.#begun) return;
    const index = this.#steps.findLastIndex((step) => isStepOf(step, flow));
    const [step] = index < 0 ? [] : this.#steps.splice(index, 1);
    if (step !== undefined) this.#recorder.flow(step.at, value);
    else this.#awaited = [...this.#awaited.filter((other) => flow.at - other.flow.at <= APART_MS), { flow, value }];
  }

  /** Values the account once, after what came together has been told. */
  #whenTold(): void {
    if (this.#awaiting) return;
    this.#awaiting = true;
    this.#session?.clock.after(0, () => {
      this.#awaiting = false;
      if (this.#begun) this.#value();
      else this.#begin();
    });
  }

  /** Every traded symbol has a price, and the account is known. */
  #begin(): void {
    const { symbols } = this.#session ?? { symbols: [] };
    if (this.#begun || this.#totals.size === 0 || symbols.some((symbol) => this.#recorder.mid(symbol) === undefined))
      return;
    this.#begun = true;
    this.#recorder.begin(this.#lastMs, this.#values());
  }

  #value(): void {
    const now = this.#session?.clock.now() ?? this.#lastMs;
    this.#recorder.account(this.#at(now), this.#values(), true);
  }

  #values(): AccountValues {
    const { engine, options } = this.#session ?? {};
    const positions =
      engine === undefined || options === undefined
        ? []
        : options.strategies
            .flatMap(({ tag }) => engine.executor.account(tag).positions())
            .filter(({ market, quantity }) => market === 'derivative' && quantity !== '0')
            .map(({ symbol, quantity, entryPrice }) => ({
              symbol,
              quantity: Number(quantity),
              entryPrice: Number(entryPrice ?? '0'),
            }));
    return { totals: this.#totals, positions };
  }

  /** Times of the curve never go back. */
  #at(ms: number): number {
    this.#lastMs = Math.max(ms, this.#lastMs);
    return this.#lastMs;
  }
}

function isStepOf({ at, currency, change }: Step, flow: CashFlow): boolean {
  const amount = Number(flow.amount);
  return (
    currency === flow.currency &&
    Math.abs(at - flow.at) <= APART_MS &&
    Math.abs(change - amount) <= Math.abs(amount) * EQUAL
  );
}
