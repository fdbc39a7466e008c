/**
 * Sessions recorded against the sandbox, taken apart: a live one, whose orders met an exchange of its own, and a perpetual
 * across a settlement of funding. The parts add up to the gap to the last digit, and the live journal gives latencies.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJournal } from '../../../src/journal/verify.ts';
import { dec, ZERO } from '../../../src/model/numbers/money.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { driftOf, type DriftReport } from '../../../src/session/drift/drift.ts';
import { measuredSimulation } from '../../../src/session/feed/measured-latency.ts';
import { readResult } from '../../../src/session/result/result.ts';
import { latencyPairs, sentCommands } from '../../../src/session/paper-venue/sent-commands.ts';
import { sessionFiles } from '../../../src/session/store/store.ts';
import { createLatency } from '../../../src/simulation/venue/latency.ts';
import { recordedSession, type Recorded } from '../replay/sandbox-session.ts';

const hedged = join(import.meta.dirname, '..', 'replay', 'strategies', 'hedged.ts');
const reactive = join(import.meta.dirname, '..', 'replay', 'strategies', 'reactive.ts');
/** A settlement of funding falls on each eight hours. */
const SETTLEMENT_MS = Math.ceil(1_750_000_000_000 / 28_800_000) * 28_800_000;

async function drifted({ folder, config }: Recorded): Promise<DriftReport> {
  const report = await driftOf(folder, config, silentLogger);
  const sum = Object.values(report.parts).reduce((total, part) => total.plus(part), ZERO);
  expect(sum.eq(report.gap), JSON.stringify(report)).toBe(true);
  const { session, backtest } = report.result;
  expect(dec(session.pnl).minus(backtest.pnl).eq(report.gap)).toBe(true);
  return report;
}

describe('the drift of a recorded session', () => {
  it('adds up for a live one, whose journal also gives the latencies of its orders', async () => {
    const recorded = await recordedSession({ mode: 'live', file: reactive, seed: 41, forMs: 5000 });
    const report = await drifted(recorded);
    expect(report.mode).toBe('live');
    expect(report.orders.sent).toBeGreaterThan(5);
    expect(report.result.session.fills).toBeGreaterThan(0);
    const { folder, config } = recorded;
    const pairs = latencyPairs(sentCommands(readJournal(folder.path)));
    expect(pairs.length).toBeGreaterThan(5);
    expect(pairs.map(({ ts }) => ts)).toEqual(pairs.map(({ ts }) => ts).toSorted((left, right) => left - right));
    for (const { entryMs, responseMs } of pairs) expect(Math.min(entryMs, responseMs)).toBeGreaterThanOrEqual(0);
    const simulation = { latency: { model: 'measured', session: folder.record.id } };
    const { latency } = measuredSimulation(configSchema.parse({ journal: config.journal, simulation }));
    expect(latency.pairs).toEqual(pairs);
    const draws = (seed: number): readonly number[] => {
      const model = createLatency(latency, seededRandom(seed));
      return pairs.map(({ ts }) => model.entryUs(ts * 1000));
    };
    expect(draws(1)).toEqual(draws(1));
    const longestUs = Math.max(...pairs.map(({ entryMs }) => entryMs)) * 1000;
    for (const us of draws(1)) expect(us).toBeLessThanOrEqual(Math.ceil(longestUs));
  });

  it('adds up for a perpetual across a settlement of funding', async () => {
    const report = await drifted(
      await recordedSession({
        mode: 'paper',
        file: reactive,
        params: { symbol: 'BTCUSDTPERP', quantity: '0.1' },
        seed: 43,
        forMs: 12_000,
        startMs: SETTLEMENT_MS - 7000,
      }),
    );
    expect(report.result.session.fills).toBeGreaterThan(0);
    expect(dec(report.result.session.funding).isZero()).toBe(false);
  });

  it('runs a session of a hedge account again in hedge mode, whatever the configuration says', async () => {
    const simulation = { perpetuals: { mode: 'hedge' } };
    const recorded = await recordedSession({
      mode: 'paper',
      file: hedged,
      seed: 47,
      forMs: 6000,
      config: { simulation },
    });
    const oneWay = configSchema.parse({ ...recorded.config, simulation: {} });
    expect(oneWay.simulation.perpetuals.mode).toBe('one-way');
    const report = await drifted({ ...recorded, config: oneWay });
    expect(report.result.session.fills).toBeGreaterThan(3);
    expect(report.result.backtest.fills).toBeGreaterThan(3);
  });

  it('says what the exchange refused, in the warnings of the result', async () => {
    const { folder } = await recordedSession({ mode: 'paper', file: hedged, seed: 47, forMs: 6000 });
    const result = readResult(readFileSync(join(folder.path, sessionFiles.result), 'utf8'), folder.path);
    expect(result.orderCounts?.rejected).toBeGreaterThan(0);
    expect(result.warnings).toContainEqual(
      expect.stringMatching(/^refused by the exchange \d+ x BTCUSDTPERP buy: illegal_transition: .*one-way mode/),
    );
  });
});
