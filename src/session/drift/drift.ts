/**
 * The gap between a session's result and its backtest, by cause (docs/drift.md):
 *
 *   backtest ─signal─▶ its orders ─latency─▶ when they arrived ─missed fills, queue, fees, rest─▶ session    + funding
 */
import { decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Logger } from '../../model/ports.ts';
import { seededRandom } from '../../model/random.ts';
import { US_PER_MS, usOf } from '../../model/time.ts';
import { createLatency, InOrder } from '../../simulation/venue/latency.ts';
import type { SimulationOptions } from '../../simulation/options.ts';
import type { BacktestRun } from '../backtest.ts';
import type { Config } from '../config/schema.ts';
import { sessionErrors } from '../errors.ts';
import { isRunning } from '../store/is-running.ts';
import { rerun } from '../rerun.ts';
import { entryMsOf, type SentCommand } from '../paper-venue/sent-commands.ts';
import type { SessionFolder } from '../store/store.ts';
import { attributeOrder, type OrderEffects } from './attribute.ts';
import { playScript, type Arrival, type ScriptResult } from './order-script.ts';
import { outcomeOf, sessionOutcome, valueAt, withMaterial, type Material, type Outcome } from './outcome.ts';
import { DRIFT_PARTS, noParts, type DriftPart, type PartSums } from './parts.ts';
import type { SessionTrace } from './session-trace.ts';
import type { TradeFill, TradeValue } from './trade-value.ts';

/** Decimal text, reporting currency. */
export interface DriftOrder {
  readonly strategy: string;
  readonly ref: string;
  readonly symbol: string;
  readonly effects: Partial<Record<DriftPart, string>>;
}

interface OutcomeText {
  readonly pnl: string;
  readonly trading: string;
  readonly funding: string;
  readonly fills: number;
}

export interface DriftReport {
  readonly session: string;
  readonly mode: 'paper' | 'live';
  readonly currency: string;
  readonly period: { readonly from: number; readonly to: number };
  /** At the last mids, without the drift of earlier holdings. */
  readonly result: { readonly session: OutcomeText; readonly backtest: OutcomeText };
  /** Session less backtest. */
  readonly gap: string;
  /** In order of attribution; they add up to the gap. */
  readonly parts: Readonly<Record<DriftPart, string>>;
  readonly orders: { readonly sent: number; readonly differ: number; readonly largest: readonly DriftOrder[] };
  readonly runHash: string | null;
  readonly warnings: readonly string[];
}

const LARGEST = 5;

/** Throws `nothing_to_replay`, `session_running`, `drift_unpriced`, `drift_sum`, and errors of its sources. */
export async function driftOf(folder: SessionFolder, config: Config, logger: Logger): Promise<DriftReport> {
  const { record } = folder;
  if (isRunning(folder)) {
    throw sessionErrors.make('session_running', `${record.id} is still running: its recording is not complete`);
  }
  const run = await rerun({ folder, config, logger });
  return withMaterial(folder, config, (material) => compare(folder, run, material));
}

function compare(folder: SessionFolder, run: BacktestRun, material: Material): DriftReport {
  const { trace, simulation } = material;
  const configured = play(material, simulation, configuredArrivals(material));
  const arrived = measuredArrivals(material);
  const timed = play(material, simulation, arrived);
  const last = play(material, { ...simulation, queue: { model: 'last' } }, arrived);
  const { currency } = run.result;
  const value = valueAt(material, configured.marks, currency);
  const session = sessionOutcome(value, trace);
  const backtest = outcomeOf(value, run.result.fills, run.funding);
  const parts = noParts();
  parts.signal = totalOf(value, configured).minus(backtest.trading);
  parts.latency = totalOf(value, timed).minus(totalOf(value, configured));
  parts.funding = session.funding.minus(backtest.funding);
  parts.rest = value.total(trace.others).minus(value.total(timed.others));
  const orders = differingOrders(trace, timed, last, value);
  for (const { effects } of orders)
    for (const part of DRIFT_PARTS) parts[part] = parts[part].plus(effects[part] ?? ZERO);
  const gap = session.pnl.minus(backtest.pnl);
  mustAddUp(parts, gap);
  const { id, mode, decidingFrom, decidingTo } = folder.record;
  return {
    session: id,
    mode,
    currency,
    period: { from: decidingFrom ?? 0, to: decidingTo ?? run.result.period.to },
    result: { session: textOf(session), backtest: textOf(backtest) },
    gap: decimalText(gap),
    parts: textsOf(parts),
    orders: {
      sent: trace.commands.filter(({ kind }) => kind === 'create').length,
      differ: orders.length,
      largest: largestOf(orders),
    },
    runHash: run.result.runHash,
    warnings: run.grave,
  };
}

function play({ tape, start }: Material, simulation: SimulationOptions, arrivals: readonly Arrival[]): ScriptResult {
  return playScript({ tape, simulation, start, arrivals });
}

function configuredArrivals({ simulation, trace, seed }: Material): readonly Arrival[] {
  const latency = createLatency(simulation.latency, seededRandom(seed).fork('venue'));
  const connection = new InOrder();
  return trace.commands.map((command) => {
    const us = usOf(command.sentMs);
    return { command, us: connection.arrival(us + latency.entryUs(us)) };
  });
}

/** A configured arrival within the whole-ms stamp is kept. */
function measuredArrivals(material: Material): readonly Arrival[] {
  const connection = new InOrder();
  return configuredArrivals(material).map(({ command, us }) => {
    const entryMs = entryMsOf(command);
    if (entryMs === null) return { command, us: connection.arrival(us) };
    const measuredUs = usOf(command.sentMs) + usOf(entryMs);
    const agrees = us >= measuredUs && us < measuredUs + US_PER_MS;
    return { command, us: connection.arrival(agrees ? us : measuredUs) };
  });
}

interface OrderDifference {
  readonly command: SentCommand & { readonly kind: 'create' };
  readonly effects: OrderEffects;
}

function differingOrders(
  trace: SessionTrace,
  timed: ScriptResult,
  last: ScriptResult,
  value: TradeValue,
): readonly OrderDifference[] {
  return trace.commands.flatMap((command) => {
    if (command.kind !== 'create') return [];
    const { intentId } = command;
    const effects = attributeOrder(
      {
        session: trace.fills.get(intentId) ?? [],
        simulated: timed.fills.get(intentId) ?? [],
        sure: quantityOf(last.fills.get(intentId) ?? []),
      },
      value,
    );
    return Object.keys(effects).length === 0 ? [] : [{ command, effects }];
  });
}

function quantityOf(fills: readonly TradeFill[]): Decimal {
  return fills.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
}

function totalOf(value: TradeValue, { fills, others }: ScriptResult): Decimal {
  return value.total([...[...fills.values()].flat(), ...others]);
}

function mustAddUp(parts: PartSums, gap: Decimal): void {
  const sum = DRIFT_PARTS.reduce((total, part) => total.plus(parts[part]), ZERO);
  if (sum.eq(gap)) return;
  throw sessionErrors.make('drift_sum', `the parts add up to ${decimalText(sum)}, the gap is ${decimalText(gap)}`);
}

function textsOf(parts: PartSums): Record<DriftPart, string> {
  const texts: Partial<Record<DriftPart, string>> = {};
  for (const part of DRIFT_PARTS) texts[part] = decimalText(parts[part]);
  return texts as Record<DriftPart, string>;
}

function textOf({ pnl, trading, funding, fills }: Outcome): OutcomeText {
  return { pnl: decimalText(pnl), trading: decimalText(trading), funding: decimalText(funding), fills };
}

function sizeOf({ effects }: OrderDifference): Decimal {
  return Object.values(effects).reduce((sum, amount) => sum.plus(amount.abs()), ZERO);
}

function largestOf(orders: readonly OrderDifference[]): readonly DriftOrder[] {
  return orders
    .toSorted((left, right) => sizeOf(right).cmp(sizeOf(left)))
    .slice(0, LARGEST)
    .map(({ command: { strategy, ref, order }, effects }) => ({
      strategy,
      ref,
      symbol: order.symbol,
      effects: Object.fromEntries(Object.entries(effects).map(([part, amount]) => [part, decimalText(amount)])),
    }));
}
