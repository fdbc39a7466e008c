/**
 * Marks a live account to market: balances and fills as the executor learns them, mids as the strategies see them. The
 * curve begins with the first balances. Balances come currency by currency; an account is only valued when all that came
 * together are in, else one leg of a trade alone would look like a gain or a loss.
 */
import type { Balance } from '../model/account.ts';
import type { Subscription } from 'rxjs';
import type { RunningSession } from './realtime.ts';
import type { AccountValues, RunRecorder } from './run-recorder.ts';

const TRADING = 'unified-trading';

export class LiveWatch {
  readonly #recorder: RunRecorder;
  readonly #totals = new Map<string, number>();
  readonly #subscriptions: Subscription[] = [];
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
      if (event.kind === 'funding') this.#recorder.funded(this.#at(session.clock.now()), event.payment.amount);
    });
  }

  end(atMs: number): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    if (!this.#begun) this.#recorder.begin(this.#at(atMs), this.#values());
    this.#value();
    this.#recorder.end(atMs);
  }

  #balance({ account, currency, total }: Balance): void {
    if (account !== TRADING) return;
    this.#totals.set(currency, Number(total));
    this.#whenTold();
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
