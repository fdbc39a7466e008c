import { describe, expect, it } from 'vitest';
import { LinkHealth } from '../../../../src/exchange/client/sockets/link-health.ts';
import { limits } from '../../../../src/exchange/interface/limits.ts';
import { seededRandom } from '../../../../src/model/random.ts';

/** Checks once a second from 1 to `seconds`; answers what it said beside `fine`. */
function run(health: LinkHealth, seconds: number, each: (second: number) => void = () => {}): [number, string][] {
  const said: [number, string][] = [];
  for (let second = 1; second <= seconds; second++) {
    each(second);
    const verdict = health.check(second * 1000, 0);
    if (verdict.kind !== 'fine') said.push([second, verdict.kind === 'dead' ? verdict.reason : 'ping']);
    if (verdict.kind === 'dead') break;
  }
  return said;
}

describe('link health', () => {
  it('pings within the documented 20 to 25 s, for every seed', () => {
    for (let seed = 0; seed < 200; seed++) {
      const health = new LinkHealth(seededRandom(seed), 0);
      const pings = run(health, 120, (second) => {
        health.received(second * 1000);
        health.ponged();
      }).map(([second]) => second * 1000);
      let last = 0;
      for (const at of pings) {
        expect(at - last).toBeGreaterThanOrEqual(limits.pingIntervalMsMin);
        expect(at - last).toBeLessThanOrEqual(limits.pingIntervalMsMax);
        last = at;
      }
      expect(pings.length).toBeGreaterThanOrEqual(4);
    }
  });

  it('gives up after 26 s of silence', () => {
    const said = run(new LinkHealth(seededRandom(1), 0), 60);
    expect(said.at(-1)).toEqual([27, 'nothing received for 26 s']);
  });

  it('gives up 8 s after a ping without pong, though data flows', () => {
    const health = new LinkHealth(seededRandom(1), 0);
    const said = run(health, 60, (second) => health.received(second * 1000));
    expect(said).toHaveLength(2);
    expect((said[1]?.[0] ?? 0) - (said[0]?.[0] ?? 0)).toBe(9);
    expect(said[1]?.[1]).toBe('no pong within 8 s');
  });

  it('lets frames that wait behind a stalled loop speak first', () => {
    const health = new LinkHealth(seededRandom(1), 0);
    health.check(1000, 0);
    expect(health.check(40_000, 0).kind).not.toBe('dead');
    health.received(40_001);
    health.ponged();
    expect(health.check(41_000, 0).kind).toBe('fine');
  });

  it('gives up when sent data does not drain for 2 s', () => {
    const health = new LinkHealth(seededRandom(1), 0);
    expect([1, 2, 3, 4].map((second) => health.check(second * 1000, 70_000).kind)).toEqual([
      'fine',
      'fine',
      'fine',
      'dead',
    ]);
  });
});
