/**
 * Found by the fault simulator (seed 28110231, law L1): an outage of three minutes used up the 20 connections of five minutes, and a
 * socket did not come back for up to two more minutes after the exchange had. docs/fault-model.md promises 180 s for all of it.
 */
import { expect, it } from 'vitest';
import { ReconnectPolicy } from '../../src/exchange/client/sockets/reconnect-policy.ts';
import { seededRandom } from '../../src/model/random.ts';

it('client/reconnect: is back within the longest back-off, however long an outage was', () => {
  for (let seed = 0; seed < 200; seed++) {
    let now = 0;
    const policy = new ReconnectPolicy({ now: () => now }, seededRandom(seed));
    for (let count = 0; count < 60; count++) {
      policy.began();
      const delay = policy.nextDelayMs();
      expect(delay).toBeLessThanOrEqual(30_000);
      now += delay;
    }
  }
});
