/**
 * The fault simulator in the suite: a slice of seeds without a violation, the same trace in every process whatever ran before,
 * and a simulator that can fail. Many more seeds: `npm run simulate`, docs/reliability-testing.md.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { crowdKinds, crowdOf } from './world/crowd.ts';
import { rareStates } from './world/rare-states.ts';
import { shrink } from './world/shrink.ts';
import { simulate, type WatchedWorld } from './world/simulate.ts';

const program = fileURLToPath(new URL('simulate.ts', import.meta.url));
const run = promisify(execFile);

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function command(...args: readonly string[]): Promise<Answer> {
  try {
    return { code: 0, ...(await run(process.execPath, [program, ...args])) };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as Answer;
    return { code, stdout, stderr };
  }
}

/** The fields of the answer, in their order. */
const FIELDS = ['seeds', 'virtualHours', 'events', 'violations', 'unreached', 'classes', 'traceHash', 'wallMs'];

describe('the fault simulator', () => {
  it('answers on one line, and the same seeds leave the same trace in two processes and over any workers', async () => {
    const seeds = ['--first-seed', '5', '--seeds', '3', '--hours', '0.05', '--json'];
    const [one, two] = await Promise.all([command(...seeds, '--workers', '1'), command(...seeds, '--workers', '2')]);
    expect(one.stdout.trim().split('\n')).toHaveLength(1);
    const first: Record<string, unknown> = JSON.parse(one.stdout);
    const second: Record<string, unknown> = JSON.parse(two.stdout);
    expect(Object.keys(first)).toEqual(FIELDS);
    expect(first).toMatchObject({ seeds: 3, violations: [] });
    expect(first['traceHash']).toMatch(/^[0-9a-f]{64}$/);
    expect({ ...second, wallMs: 0 }).toEqual({ ...first, wallMs: 0 });
    expect([one.code, two.code]).toEqual([0, 0]);
  }, 60_000);

  it('says what it was given wrongly, and ends with 2', async () => {
    const answers = await Promise.all([
      command('--seeds', 'many'),
      command('--without', 'rain'),
      command('--crowd', '1.5'),
      command('--sedes', '1'),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(answers[1]?.stderr).toContain('--without rain: the kinds are request-refused');
  }, 30_000);

  it('fails when every rare state is asked for and one was not reached', async () => {
    const { code, stdout } = await command('--seeds', '1', '--hours', '0.01', '--all-reached', '--json');
    const { violations, unreached }: Record<string, unknown[]> = JSON.parse(stdout);
    expect(violations).toEqual([]);
    expect(unreached).not.toEqual([]);
    expect(code).toBe(1);
  }, 60_000);

  it.each([7, 14, 36, 52])(
    'holds every law over the faults of seed %i',
    async (seed) => {
      const { violations } = await simulate({ seed, hours: 0.1 });
      expect(violations).toEqual([]);
    },
    60_000,
  );

  it('agrees by the word of a human where it stops and asks: a transfer beside those by hand', async () => {
    const world = { seed: 81_000_056, hours: 0.25, programs: 0.4, transfers: 0.1 };
    const { violations, faultClass, neededWord } = await simulate(world);
    expect({ violations, faultClass, neededWord }).toEqual({ violations: [], faultClass: 'B', neededWord: true });
  }, 60_000);

  it.each([3, 6])(
    'holds every law where four rare things meet (seed %i)',
    async (seed) => {
      const world = crowdOf(seed, 4);
      const { plan, tight, violations } = await simulate({ seed, hours: 0.1, ...world });
      expect(violations).toEqual([]);
      expect(world.also?.size).toBe(4);
      if (!tight) expect(Object.keys(plan)).toEqual(expect.arrayContaining([...(world.also ?? [])]));
    },
    60_000,
  );

  it('draws a crowd of all kinds that are rare, alike each time, and none where none is asked for', () => {
    expect(crowdOf(9, 3)).toEqual(crowdOf(9, 3));
    expect(crowdOf(9, 0)).toEqual({});
    const drawn = new Set(Array.from({ length: 300 }, (_, seed) => [...(crowdOf(seed, 3).also ?? [])]).flat());
    expect([...drawn].toSorted()).toEqual([...crowdKinds].toSorted());
    expect(crowdKinds).toContain('journal-restored');
    expect(crowdKinds).not.toContain('frame-lost');
  });

  it('fails when a law is broken, and finds the faults that this takes', async () => {
    const watch = ({ plan, laws }: WatchedWorld) => ({
      look: () => {
        if (plan.counts.has('kill')) laws.violated('X9', 'the process was killed');
      },
    });
    const options = { seed: 16, hours: 0.05, watch };
    const report = await simulate(options);
    expect(new Set(report.violations)).toEqual(new Set(['X9: the process was killed']));
    expect(Object.keys(report.plan).length).toBeGreaterThan(3);
    expect(await shrink(report, options)).toEqual(['kill']);
  }, 60_000);

  it('names each rare state once', () => {
    expect(new Set(rareStates).size).toBe(rareStates.length);
  });
});
