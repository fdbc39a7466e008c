/** The curve of a session has no hole where nobody looked: the session's own points fill it. */
import { expect, test } from 'vitest';
import { EquityHistory } from '../../src/bridge/fleet/equity-history.ts';
import type { LivePart } from '../../src/bridge/live/live-part.ts';
import type { EquityPoint } from '../../src/bridge/schemas/market.ts';

const T0 = 1_700_000_000_000;
const point = (s: number): EquityPoint => ({ ts: T0 + s * 1_000, equity: 100 + s, netPnl: s, heldDrift: 0 });
const part = (s: number): LivePart => ({ at: T0 + s * 1_000, equity: 100 + s, netPnl: s, heldDrift: 0 }) as LivePart;
const seconds = ({ points }: EquityHistory): readonly number[] => points.map(({ ts }) => (ts - T0) / 1_000);

test('bridge/equity/what-nobody-looked-at-is-filled', () => {
  const history = new EquityHistory(T0);
  expect(history.hasHole).toBe(true);
  for (const s of [10, 11, 12]) history.add(part(s));
  history.fill([0, 5, 10, 11].map(point));
  expect(seconds(history)).toEqual([0, 5, 10, 11, 12]);
  expect(history.hasHole).toBe(false);
  history.add(part(13));
  expect(history.hasHole).toBe(false);
  history.add(part(60));
  expect(history.hasHole).toBe(true);
  history.fill([0, 5, 10, 20, 30, 40, 59.5].map(point));
  expect(seconds(history)).toEqual([0, 5, 10, 11, 12, 13, 20, 30, 40, 60]);
  expect(history.points.map(({ equity }) => equity)).toEqual(seconds(history).map((s) => 100 + s));
});
