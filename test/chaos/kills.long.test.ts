/**
 * A slice of `npm run test:chaos`: a few deaths of real processes. The command runs as many as one likes; what it prints
 * after a failure repeats the choices of that run.
 */
import { describe, expect, it } from 'vitest';
import { campaign } from './processes/campaign.ts';

describe.concurrent('real processes, killed', () => {
  it('lose and double nothing when they die at borders of journal and sockets', async () => {
    const borders = [
      { border: 2, from: 'trading' },
      { border: 23, from: 'trading' },
    ] as const;
    const result = await campaign({ seed: 1, kills: borders.length, borders });
    expect(result).toMatchObject({ kills: 2, lost: 0, doubled: 0, problems: [] });
    expect(result.ordersSent).toBeGreaterThan(0);
    const atBorders = [...result.reached.keys()].filter((name) => name.startsWith('border: '));
    expect(atBorders.length).toBeGreaterThan(0);
  }, 120_000);

  it('lose and double nothing when they die on a faulty network', async () => {
    const result = await campaign({ seed: 2, kills: 2, only: 'killed' });
    expect(result).toMatchObject({ kills: 2, lost: 0, doubled: 0, problems: [] });
    expect(result.ordersSent).toBeGreaterThan(0);
  }, 120_000);
});
