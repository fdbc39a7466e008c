/**
 * The human who is asked whose a liquidation was, and answers as `tidewire plan --choose` does, by a choice of the seed; and who
 * reads the alarm `ambiguous_match` and says whose those orders are, as `tidewire reconcile --ours` and
 * `--not-ours` do: by the truth. When nothing fails any more, since no fault is to be taken for doubt.
 */
import { AS_LISTED } from '../../../src/execution/intake/contradicted-trade.ts';
import { choicesOf } from '../../../src/execution/intake/division.ts';
import type { Finding } from '../../../src/reconciler/finding.ts';
import { takeOwnership, type Ownership } from '../../../src/reconciler/ownership.ts';
import type { JournalRow } from '../../../src/model/entries/journal.ts';
import { dec, ZERO } from '../../../src/model/numbers/money.ts';
import type { Laws } from './laws.ts';
import type { Process } from './process.ts';
import type { VenueSide } from './venue-side.ts';

export class HumanWord {
  readonly #venue: VenueSide;
  readonly #laws: Laws;
  /** The process that the last word was for: one word for each. */
  #spokeTo: Process | null = null;

  constructor(venue: VenueSide, laws: Laws) {
    this.#venue = venue;
    this.#laws = laws;
  }

  /** True when it begins to look: the time to agree is counted from there. */
  begins(process: Process | null, rows: readonly JournalRow[]): boolean {
    // Of one that is still starting the last start in the journal is that of the process before it.
    if (process === null || process === this.#spokeTo || !process.hasStarted) return false;
    if (process.engine?.executor.unresolvedCount() === 0) return false;
    const startedAt = rows.findLastIndex(({ entry }) => entry.kind === 'session' && entry.event === 'start');
    const isTold = rows
      .slice(startedAt)
      .some(({ entry }) => entry.kind === 'alarm' && entry.code === 'ambiguous_match');
    if (!isTold) return false;
    this.#spokeTo = process;
    this.#speak(process).catch((thrown: unknown) => this.#laws.violated('crash', String(thrown)));
    return true;
  }

  /** Says whose each liquidation was of which somebody is asked, and that a list of trades is right. What the choice gives to one, that one held. */
  divides(process: Process | null): void {
    const executor = process?.hasStarted === true ? process.engine?.executor : undefined;
    for (const id of executor?.state.contradicted.keys() ?? [])
      executor?.human.division(id, AS_LISTED, 'by the list')();
    for (const one of executor?.state.undivided.all ?? []) {
      const whole = one.fills.reduce((sum, { quantity }) => dec(quantity).plus(sum), ZERO);
      const most = new Map(one.holders.map(({ strategy, quantity }) => [`all:${strategy}`, dec(quantity)]));
      const choices = choicesOf(one).filter((choice) => most.get(choice)?.gte(whole) !== false);
      const choice = choices[Number(BigInt(one.fills[0]?.tradeId ?? 0) % BigInt(choices.length))];
      if (choice !== undefined) executor?.human.division(one.id, choice, 'by the seed')();
    }
  }

  async #speak({ engine, reconciler }: Process): Promise<void> {
    if (engine === null || reconciler === null) return;
    const { findings } = await reconciler.runNow({ apply: false });
    const said = findings.flatMap((finding) => this.#of(finding));
    if (said.length > 0) takeOwnership(engine.executor.reconcilerPort, findings, said, 'by the truth');
  }

  /** What is not said is left to the rules. */
  #of(finding: Finding): readonly Ownership[] {
    if (finding.kind !== 'ambiguous') return [];
    return finding.orders.flatMap(({ orderId }): Ownership[] => {
      // Also of one whose sending the journal has lost, which is of others until then.
      const intentId = this.#laws.intentOf(orderId);
      if (intentId !== undefined && finding.intentIds.includes(intentId)) return [{ orderId, intentId }];
      return this.#venue.isOthers(orderId) ? [{ orderId, intentId: null }] : [];
    });
  }
}
