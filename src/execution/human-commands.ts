/** Commands that only a human gives, each journalled with its reason. */
import type { LimitChange, LimitOverrideEntry } from '../model/entries/human-entries.ts';
import type { TidewireError } from '../model/errors.ts';
import { dec, decimalText } from '../model/numbers/money.ts';
import { AS_BOOKED, AS_LISTED, settleContradiction } from './intake/contradicted-trade.ts';
import type { Core } from './core.ts';
import { choiceAndPrice, choicesOf, closedByOthers, NONE, quantitiesOf, sharesOf } from './intake/division.ts';
import { executionErrors } from './errors.ts';
import { journalErrors } from '../journal/errors.ts';
import { bookRest, bookShare, restId } from './intake/bookings.ts';
import { OWN_LIQUIDATION } from '../spine/external-keys.ts';
import { positionNameOf } from '../spine/positions.ts';
import { requireOver } from '../risk/protections/trial.ts';

type LimitOverride = Omit<LimitOverrideEntry, 'kind' | 'from'>;

/** Each throws `unknown_strategy` for an unknown tag. */
export class HumanCommands {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Previews the change without making it. Throws `limit_unknown`, `limit_value`. */
  checkOverride(override: LimitOverride): LimitChange {
    return this.#core.risk.checkOverride(override, this.#core.now());
  }

  /** Overrides one limit for at most an hour. `value` null: ends the override. Throws as `checkOverride` does. */
  overrideLimit(override: LimitOverride): void {
    const core = this.#core;
    const { from } = this.checkOverride(override);
    core.turn.run(() => {
      const entry = { kind: 'limit-override', from, ...override } as const;
      if (override.value === null) core.spine.commit(entry);
      else if (!core.spine.commitDurably(entry)) return;
      core.risk.overridden();
      const { limit, value, until, reason } = override;
      const what =
        value === null ? 'applies as configured again' : `is ${value} until ${new Date(until).toISOString()}`;
      core.alarm('limit_override', `${limit} ${what}: ${reason}`);
    });
  }

  /** Unlatches a strategy. */
  enable(tag: string, reason: string): void {
    const core = this.#core;
    const { tag: strategy } = core.slot(tag);
    core.turn.run(() => {
      if (!core.state.latches.has(strategy)) return;
      core.spine.commit({ kind: 'latch', strategy, on: false, reason });
      core.risk.enabled(strategy);
    });
  }

  clearKill(reason: string): void {
    const core = this.#core;
    core.turn.run(() => {
      core.kill.clear();
      core.spine.commit({ kind: 'kill', on: false, reason });
    });
  }

  resume(symbol: string, reason: string): void {
    const core = this.#core;
    core.turn.run(() => {
      if (core.state.halts.has(symbol)) core.spine.commit({ kind: 'halt', symbol, on: false, reason });
    });
  }

  /** Denies new risk of the strategy and cancels its resting orders of new risk, or permits new risk again. */
  pause(tag: string, on: boolean, reason: string): void {
    const core = this.#core;
    const { tag: strategy } = core.slot(tag);
    core.turn.run(() => {
      if (core.state.pauses.has(strategy) === on) return;
      core.spine.commit({ kind: 'pause', strategy, on, reason });
      if (on) {
        core.alarm('strategy_paused', `${strategy} is paused: ${reason}`);
        core.bar(strategy);
      } else core.deps.logger.info({ strategy }, `${strategy} is resumed: ${reason}`);
    });
  }

  /** Ends the trial of the strategy's version and returns the version. Throws `not_on_trial`, `trial_not_over`, `journal_failed`. */
  widen(tag: string, reason: string): string {
    const core = this.#core;
    const { tag: strategy } = core.slot(tag);
    const { version, fills } = requireOver(core.state.trials, strategy, core.now());
    written(core, () => {
      if (!core.spine.commitDurably({ kind: 'widened', strategy, version, fills, reason })) return false;
      core.risk.overridden();
      core.alarm('limits_widened', `${strategy} has its limits as configured from now on (${version}): ${reason}`);
      return true;
    });
    return version;
  }

  /**
   * Returns a function that carries out the decision; call it at once. Throws `decision_not_open`, `decision_choice`;
   * the function throws `journal_failed`.
   */
  division(id: string, said: string, reason: string): () => void {
    const core = this.#core;
    const { state } = core;
    const contradicted = state.contradicted.get(id);
    if (contradicted !== undefined) {
      const among = [AS_LISTED, AS_BOOKED];
      if (!among.includes(said))
        throw executionErrors.make('decision_choice', `${said} is not a choice of ${id}: ${among.join(', ')}`);
      if (said === AS_LISTED && state.orders.byIntent(contradicted.intentId) === undefined)
        throw executionErrors.make(
          'decision_choice',
          `${id}: its order is too old to be corrected; only ${AS_BOOKED} is left`,
        );
      return () =>
        written(core, () => {
          settleContradiction(core, id, contradicted, said, reason);
          return core.writer.flush();
        });
    }
    const closed = closedByOthers(state);
    const open = [...state.undivided.all, ...closed];
    const undivided = open.find((one) => one.id === id);
    if (undivided === undefined) throw notOpen(id, state.undivided.chosen(id), open);
    const { orderId, symbol } = undivided;
    const isClosed = closed.includes(undivided);
    const among = choicesOf(undivided);
    const [choice, price] = isClosed ? choiceAndPrice(among, said) : [said];
    // The symbol may be delisted by now.
    const instrument = state.positions.all().find((held) => held.instrument.symbol === symbol)?.instrument;
    if (instrument === undefined) throw new RangeError(`no strategy has ever held ${symbol}`);
    const lot = instrument.exactQuantity(1);
    const quantities = among.includes(choice) ? quantitiesOf(undivided, choice, lot) : undefined;
    if (quantities === undefined)
      throw executionErrors.make('decision_choice', `${said} is not a choice of ${id}: ${among.join(', ')}`);
    if (isClosed && price === undefined && choice !== NONE)
      throw executionErrors.make('decision_choice', `at which price? Say ${id}=${choice}@PRICE`);
    const fills =
      price === undefined
        ? undivided.fills
        : undivided.fills.map((fill) => ({ ...fill, price, tradeId: `closed-${core.now()}`, ts: core.now() }));
    const parts = sharesOf(fills, quantities, lot);
    const shares = [...quantities].map(([strategy, quantity]) => ({ strategy, quantity: decimalText(quantity) }));
    return () =>
      written(core, () => {
        core.spine.commit({ kind: 'divided', id, orderId, choice: said, shares, reason });
        for (const { strategy, fill } of parts) {
          bookShare(core, strategy, instrument, fill);
          // The account carried it until now. A later opening contains it already.
          const cause = isClosed ? 'closed by external trades' : OWN_LIQUIDATION;
          if (state.openedAt('position', positionNameOf(fill)) !== undefined)
            bookRest(core, `divided/${strategy}/${restId(fill)}`, fill, dec(fill.quantity).neg(), cause);
        }
        // All rows or none, with everything before them.
        return core.writer.flush();
      });
  }
}

/** Runs `work` as one turn. Throws `journal_failed` if it could not be journalled. */
function written(core: Core, work: () => boolean): void {
  let isWritten = false;
  core.turn.run(() => (isWritten = work()));
  if (!isWritten) throw core.writer.failure ?? journalErrors.make('journal_failed', 'the journal cannot be written');
}

function notOpen(id: string, chosen: string | undefined, open: readonly { readonly id: string }[]): TidewireError {
  const why = chosen === undefined ? 'is not open' : `was decided: ${chosen}`;
  const which = open.length === 0 ? 'none is open' : `open: ${open.map((one) => one.id).join(', ')}`;
  return executionErrors.make('decision_not_open', `${id} ${why}; ${which}`);
}
