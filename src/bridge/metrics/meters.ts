/** The metrics of a session by their Prometheus names; docs/remote.md has the same list. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const ORDER_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const COMMIT_SECONDS = [0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1];

/** Each starts at 0, so that a rate has its first value. */
export const orderOutcomes = ['accepted', 'refused', 'unknown', 'not_sent', 'denied', 'withdrawn'] as const;
export const passResults = ['agreed', 'healed', 'incomplete'] as const;

/**
 * `decide`: frame received to order decided. `commit`: the commit that holds its SENDING. `durable`: frame received to
 * SENDING on disk. `answer`: SENDING to the first word of the exchange, an answer or a push.
 */
export const orderStages = ['decide', 'commit', 'durable', 'answer'] as const;

export interface Meters {
  readonly registry: Registry;
  readonly tickToOrder: Histogram<'stage'>;
  readonly commit: Histogram;
  readonly orders: Counter<'outcome'>;
  readonly denials: Counter<'reason'>;
  readonly fills: Counter;
  readonly alarms: Counter<'code'>;
  readonly passes: Counter<'result'>;
  readonly gate: Gauge<'gate' | 'symbol'>;
  readonly streamAge: Gauge<'stream'>;
  readonly undecoded: Gauge;
  readonly gaps: Counter<'stream'>;
  readonly queue: Gauge<'queue'>;
  readonly equity: Gauge;
  readonly netPnl: Gauge;
  readonly strategyPnl: Gauge<'strategy'>;
  readonly heldDrift: Gauge;
  readonly position: Gauge<'strategy' | 'symbol' | 'side'>;
  readonly exposure: Gauge<'symbol'>;
  readonly openOrders: Gauge<'strategy'>;
  readonly unknownOrders: Gauge;
  readonly limitUsed: Gauge<'limit'>;
  readonly killed: Gauge;
  readonly journalSeq: Gauge;
}

/** @param labels of every series: session and mode */
export function createMeters(labels: Readonly<Record<string, string>>): Meters {
  const registry = new Registry();
  registry.setDefaultLabels(labels);
  const registers = [registry];
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> =>
    new Gauge({ name: `tidewire_${name}`, help, labelNames, registers });
  const counter = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> => new Counter({ name: `tidewire_${name}_total`, help, labelNames, registers });
  const histogram = <Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> => new Histogram({ name: `tidewire_${name}_seconds`, help, buckets, labelNames, registers });
  const meters: Meters = {
    registry,
    tickToOrder: histogram('tick_to_order', 'From a market frame to an order, by stage', ORDER_SECONDS, ['stage']),
    commit: histogram('journal_commit', 'One durable commit of the journal', COMMIT_SECONDS),
    orders: counter(
      'orders',
      'Orders by how their send ended, as first known: by an answer, a report or a fill; withdrawn: before they left',
      ['outcome'],
    ),
    denials: counter('denials', 'Actions and orders that tidewire denied, by reason', ['reason']),
    fills: counter('fills', 'Own trades'),
    alarms: counter('alarms', 'Alarms by code', ['code']),
    passes: counter('reconciliations', 'Reconciliation passes by result', ['result']),
    gate: gauge('gate', '1 while a gate is closed: no new risk; empty symbol: the account', ['gate', 'symbol']),
    streamAge: gauge('stream_age_seconds', 'Since the last message of a stream', ['stream']),
    undecoded: gauge('undecodable_frames', 'Frames that could not be decoded since the start'),
    gaps: counter('stream_gaps', 'Times that the data of a stream was missing', ['stream']),
    queue: gauge('queue_length', 'What waits: requests for the exchange, messages of alerts', ['queue']),
    equity: gauge('equity', 'Capital and own result, reporting currency'),
    netPnl: gauge('net_pnl', 'Own result after fees and funding, reporting currency'),
    strategyPnl: gauge('strategy_net_pnl', 'Result of one strategy, reporting currency', ['strategy']),
    heldDrift: gauge('held_drift', 'Price change of what was held before, reporting currency'),
    position: gauge('position', 'Signed base units', ['strategy', 'symbol', 'side']),
    exposure: gauge('exposure', 'Size of the position at the mid, quote currency', ['symbol']),
    openOrders: gauge('open_orders', 'Resting orders', ['strategy']),
    unknownOrders: gauge('unknown_orders', 'Orders of unknown outcome'),
    limitUsed: gauge('limit_used_ratio', 'Used part of a limit, 0 to 1', ['limit']),
    killed: gauge('killed', '1 while the kill switch is on'),
    journalSeq: gauge('journal_seq', 'Number of the last journal row'),
  };
  for (const outcome of orderOutcomes) meters.orders.inc({ outcome }, 0);
  for (const result of passResults) meters.passes.inc({ result }, 0);
  for (const stage of orderStages) meters.tickToOrder.zero({ stage });
  // Nothing is known yet, and 0 would be a figure.
  for (const figure of [meters.equity, meters.netPnl, meters.heldDrift]) figure.remove();
  return meters;
}
