/** Gauges from a session's figures at one moment, conflated: set when somebody asks, not when they change. */
import type { SessionSnapshot } from '../../session/view/snapshot.ts';
import type { Meters } from './meters.ts';

const MS = 1_000;

export interface Counts {
  /** Requests for the exchange that wait or are under way. */
  readonly requests: number;
  /** Messages of alerts that wait. */
  readonly alerts: number;
  /** Frames that could not be decoded. */
  readonly undecoded: number;
}

export function setFigures(meters: Meters, snapshot: SessionSnapshot, counts: Counts): void {
  const { equity, netPnl, heldDrift, streamAge, gaps, limitUsed } = meters;
  // A series without a value says nothing; 0 would be a figure.
  setOrNone(equity, snapshot.equity);
  setOrNone(netPnl, snapshot.netPnl);
  setOrNone(heldDrift, snapshot.heldDrift);
  streamAge.reset();
  gaps.reset();
  for (const { name, ageMs, gaps: count } of snapshot.streams) {
    if (ageMs !== null) streamAge.set({ stream: name }, ageMs / MS);
    gaps.inc({ stream: name }, count);
  }
  limitUsed.reset();
  for (const { name, used } of snapshot.risk) limitUsed.set({ limit: name }, used);
  setStrategies(meters, snapshot);
  meters.unknownOrders.set(snapshot.unknown);
  meters.killed.set(snapshot.killed === null ? 0 : 1);
  meters.undecoded.set(counts.undecoded);
  meters.queue.set({ queue: 'requests' }, counts.requests);
  meters.queue.set({ queue: 'alerts' }, counts.alerts);
}

function setOrNone(gauge: Meters['equity'], value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

function setStrategies(
  { position, exposure, openOrders, strategyPnl }: Meters,
  { strategies, tops }: SessionSnapshot,
): void {
  const mids = new Map(tops.map(({ symbol, bid, ask }) => [symbol, (Number(bid) + Number(ask)) / 2]));
  const sizes = new Map<string, number>();
  position.reset();
  strategyPnl.reset();
  for (const { tag, positions, openOrders: open, netPnl } of strategies) {
    if (netPnl !== null) strategyPnl.set({ strategy: tag }, netPnl);
    openOrders.set({ strategy: tag }, open.length);
    for (const { symbol, quantity, positionSide } of positions) {
      position.set({ strategy: tag, symbol, side: positionSide }, Number(quantity));
      sizes.set(symbol, (sizes.get(symbol) ?? 0) + Number(quantity));
    }
  }
  exposure.reset();
  for (const [symbol, size] of sizes) {
    const mid = mids.get(symbol);
    if (mid !== undefined) exposure.set({ symbol }, Math.abs(size) * mid);
  }
}
