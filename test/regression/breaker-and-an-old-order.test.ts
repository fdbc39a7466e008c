/**
 * An order of unknown fate that turned out to have been accepted long ago closed the breaker against reject loops: what was
 * refused three times since was tried again at once. Found by the fault simulator (futures, seed 76633, law R2).
 */
import { expect, it } from 'vitest';
import { RepeatedRejects } from '../../src/risk/checks/repeated-rejects.ts';

it('stays open when the fate of an order from before is learned, and closes with one that was sent since', () => {
  const breaker = new RepeatedRejects(3, 60_000);
  for (const at of [1000, 2000, 3000]) breaker.rejected('maker buy BTCUSDT', 'illegal_transition', at);
  breaker.accepted('maker buy BTCUSDT', 500);
  expect(breaker.denial('maker buy BTCUSDT', 3100)?.reason).toBe('repeated_rejects');
  expect(breaker.denial('maker buy BTCUSDT', 63_000)).toBeNull();
  breaker.accepted('maker buy BTCUSDT', 3050);
  expect(breaker.denial('maker buy BTCUSDT', 3100)).toBeNull();
});
