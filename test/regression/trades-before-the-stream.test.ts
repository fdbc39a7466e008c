/**
 * Found by reading: the first complete comparison opened the gate although the private stream had never been ready, so
 * a session whose REST works and whose WebSocket does not would trade without hearing of its fills (S11, INV-R3).
 */
import { expect, it } from 'vitest';
import { Stack, SYMBOL, tempDir, World } from '../e2e/live-stack.ts';

it('keeps the gate shut until the private stream is ready for the first time', async () => {
  const world = await World.open();
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    await world.faults({ match: { method: 'GET', path: '/websocket/exchange' }, fault: 'status', status: 503 });
    const stack = await Stack.start(world, { dir });
    for (let run = 0; run < 3; run++) expect((await stack.reconciler.runNow()).complete).toBe(true);
    expect(stack.reconciler.gate.closedBecause(SYMBOL)?.reason).toBe('stream_down');
    await world.faults();
    await stack.whenReady();
  } finally {
    await world.close();
  }
});
