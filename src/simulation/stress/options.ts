/** Injected faults: times after the start, or drawn from the seed. */
import { z } from 'zod';
import { rate } from '../rate.ts';

const afterStart = z
  .number()
  .min(0)
  .max(10 ** 12);
const length = z
  .number()
  .positive()
  .max(10 ** 10);

const schedule = z
  .union([
    z.array(z.strictObject({ atMs: afterStart, forMs: length })).max(10_000),
    z.strictObject({
      everyMs: length.describe('Mean time from the end of one to the start of the next'),
      forMs: length.describe('Mean length'),
    }),
  ])
  .default([]);

export const stressOptions = z
  .strictObject({
    outages: schedule.describe('The venue refuses every command; resting orders stay in the market'),
    bursts: schedule.describe('Latency is burstFactor times as long'),
    burstFactor: z.number().min(1).max(1000).default(10),
    gaps: schedule.describe('Backtest: nothing is received; afterwards the books come as snapshots'),
    fees: z
      .array(z.strictObject({ atMs: afterStart, maker: rate, taker: rate }))
      .max(10_000)
      .default([])
      .describe('The rates from that time on'),
  })
  .prefault({})
  .describe('What is injected (rule A5); times are ms after the start of the run');

export type StressOptions = z.output<typeof stressOptions>;
export type StressSchedule = StressOptions['outages'];
