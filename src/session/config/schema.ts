/** Schema of the configuration file (config.md). Unknown keys are errors. */
import { z } from 'zod';
import { wrongChannel } from '../../exchange/interface/channels.ts';
import { wrongEndpoint } from '../../exchange/interface/endpoints.ts';
import { exchangeOptions } from '../../exchange/options.ts';
import { journalSchema } from '../../journal/options.ts';
import { limitsSchema, riskSchema } from '../../risk/options.ts';
import { reconcileSchema } from '../../reconciler/options.ts';
import { isDecimalText } from '../../model/numbers/money.ts';
import { recordingOptions } from '../../recording/options.ts';
import { simulationOptions } from '../../simulation/options.ts';
import { alertOptions } from '../alerts/options.ts';
import { metricsOptions, signalOptions } from './bridge-options.ts';
import { dashboardOptions } from './dashboard-options.ts';
import { walletOptions } from '../address-book/options.ts';

const amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => isDecimalText(text) && !text.startsWith('-'), 'expected an amount such as "100000"');

const accountOptions = z
  .strictObject({
    reporting: z.string().default('USDT').describe('Currency in which equity, limits and statistics are given'),
    start: z
      .record(z.string(), amount)
      .default({})
      .describe(
        'Start balances of the trading account in paper and backtest; empty: 100,000 of the quote currency and base worth as much',
      ),
    accounts: z
      .partialRecord(z.enum(['funding', 'p2p']), z.record(z.string(), amount))
      .default({})
      .describe('Start balances of the other accounts in paper and backtest: account, then currency'),
  })
  .prefault({});

const strategyOptions = z.strictObject({
  file: z.string().min(1).describe('Path of the strategy file'),
  tag: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,24}$/, 'expected 1 to 24 letters, digits, - or _')
    .optional()
    .describe('Name of this strategy in the session; its own by default'),
  params: z.record(z.string(), z.unknown()).default({}),
  limits: limitsSchema.prefault({}),
  band: z
    .strictObject({
      validation: z.string().min(1).describe('Result file of `validate` of this strategy'),
      action: z
        .enum(['alarm', 'pause'])
        .default('alarm')
        .describe('alarm: a page; pause: also no new risk where the result is below the band'),
    })
    .optional()
    .describe('Watches whether the result of a session stays in the band that its validation drew'),
  onStop: z.enum(['leave', 'cancel', 'flatten']).default('cancel').describe('What happens to its orders when it stops'),
});

const knownOverrides = exchangeOptions.superRefine(({ overrides }, context) => {
  const names = [
    ...Object.keys(overrides.endpoints).map((name) => ({ list: 'endpoints', name, wrong: wrongEndpoint(name) })),
    ...Object.keys(overrides.channels).map((name) => ({ list: 'channels', name, wrong: wrongChannel(name) })),
  ];
  for (const { list, name, wrong } of names) {
    if (wrong !== null) context.addIssue({ code: 'custom', path: ['overrides', list, name], message: wrong.message });
  }
});

export const configSchema = z.strictObject({
  exchange: knownOverrides.prefault({}),
  account: accountOptions,
  strategies: z
    .array(strategyOptions)
    .default([])
    .superRefine((strategies, context) => {
      const sum = strategies.reduce((all, { limits }) => all + (limits.share ?? 0), 0);
      if (sum > 1 + 1e-9)
        context.addIssue({
          code: 'custom',
          message: `the shares of the strategies are ${+sum.toFixed(6)} together, more than 1`,
        });
    }),
  risk: riskSchema.prefault({}),
  reconcile: reconcileSchema.prefault({}),
  simulation: simulationOptions,
  recording: recordingOptions,
  wallet: walletOptions,
  journal: journalSchema.prefault({}),
  alerts: alertOptions,
  metrics: metricsOptions,
  signals: signalOptions,
  dashboard: dashboardOptions,
});

export type Config = z.output<typeof configSchema>;
export type StrategyEntry = Config['strategies'][number];
