/**
 * Options `risk` and `strategies[].limits` of the config (config.md). An omitted limit without a default does not
 * apply.
 */
import { z } from 'zod';
import { isDecimalText } from '../model/numbers/money.ts';
import { parseDuration } from '../model/time.ts';
import { TradingHours } from './protections/trading-hours.ts';

/** Canonical non-negative decimal text. */
export const amount = z
  .union([z.string(), z.number()])
  .transform((value) => String(value))
  .refine(
    (text) => isDecimalText(text) && !text.startsWith('-'),
    'expected a decimal that is not negative, such as "0.5"',
  );
/** A limit; without it there is none. */
const most = (what: string) => amount.optional().describe(what);
/** A number from `least` on. */
export const from = (least: number, usual: number, what: string) => z.number().min(least).default(usual).describe(what);
const fraction = z.number().min(0).max(1);
/** Each message in a window is stored, so the number is bounded. */
const messages = z.number().int().min(1).max(1_000_000);

/** For an account, a symbol or a strategy; values in the reporting currency. */
const limitShape = {
  maxOrderQuantity: most('Base units of one order'),
  maxOrderValue: most('Value of one order'),
  maxPosition: most('Base units of the position if all working orders of one direction filled'),
  maxPositionValue: most('The same in value, reporting currency'),
  maxOpenOrders: z.number().int().min(0).optional().describe('Orders that work or are in flight at one time'),
  maxOpenNotional: most('Total value of all orders that work, are in flight or unknown'),
};

/** For an account or a strategy over all symbols. */
const portfolioShape = {
  maxGrossValue: most('Σ over symbols of the larger of |everything bought| and |everything sold|, in value'),
  maxNetValue: most('|Σ over symbols of signed value|, if everything in one direction filled'),
  messagesPerMinute: messages.optional().describe('Creates and cancels within a minute'),
  maxOrderValuePerMinute: most('Value of all orders sent within a minute, filled or not'),
  maxOrderValuePerHour: most('The same within an hour'),
  allowedSymbols: z
    .array(z.string())
    .optional()
    .describe('Only these may be traded; a list, even an empty one, denies every other symbol'),
};

/** Latches a strategy until a human enables it. */
const latchShape = {
  repeatedExecutions: z
    .strictObject({
      count: z.number().int().min(1).max(100_000).describe('Fills that latch it'),
      windowMs: z.number().min(1).describe('Within this time, ms'),
    })
    .optional()
    .describe('This number of fills within this time latches the strategy until a human enables it'),
  rejectsInARow: z.number().int().min(1).optional().describe('Refusals in a row, of any order, that latch it'),
};

const duration = z.string().refine((text) => parseDuration(text) > 0, 'expected a duration such as "30m"');

/** `30m` is `{ for: 30m, after: loss }`. */
const cooldownSchema = z
  .union([
    duration,
    z.strictObject({
      for: duration.describe('How long'),
      after: z.enum(['loss', 'exit']).default('loss').describe('After a close with a loss, or after every close'),
    }),
  ])
  .transform((value) => (typeof value === 'string' ? { for: value, after: 'loss' as const } : value));

const hoursSchema = z.array(z.string()).superRefine((texts, context) => {
  for (const [index, text] of texts.entries()) {
    try {
      new TradingHours([text]);
    } catch (thrown) {
      context.addIssue({
        code: 'custom',
        path: [index],
        message: thrown instanceof Error ? thrown.message : String(thrown),
      });
    }
  }
});

/** For a strategy. They deny only new risk. */
const protectionShape = {
  maxTradesPerDay: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Orders of new risk that trade within a UTC day; those that work count'),
  cooldown: cooldownSchema
    .optional()
    .describe('How long no new risk is taken in a symbol after a position was closed there with a loss'),
  tradingHours: hoursSchema
    .optional()
    .describe('New risk at these times only: DAYS HH:MM-HH:MM ZONE; without a zone UTC'),
};

/** For a strategy version that is not approved. */
const canarySchema = z.strictObject({
  share: z
    .number()
    .gt(0)
    .max(1)
    .default(0.1)
    .describe('Share that it may use of each limit of account, symbol and strategy'),
  limits: z
    .strictObject({
      ...limitShape,
      maxGrossValue: amount.optional(),
      maxNetValue: amount.optional(),
      maxOrderValuePerMinute: amount.optional(),
      maxOrderValuePerHour: most('The same within an hour'),
      allowedSymbols: z.array(z.string()).optional(),
      budget: amount.optional(),
      maxDailyLoss: amount.optional(),
      maxDrawdown: amount.optional(),
    })
    .prefault({})
    .describe('Further limits for that time; no share is taken of them'),
  minFills: z.number().int().min(0).default(20).describe('Least number of fills before it can be widened; 0: none'),
  minMs: from(0, 3_600_000, 'Least time before it can be widened, ms'),
});

const account = z.enum(['funding', 'unified-trading', 'p2p', 'referral-program', 'overdraft']);

/** Unnamed transfers are denied. */
const transfersSchema = z.strictObject({
  routes: z
    .array(z.tuple([account, account]))
    .default([])
    .describe('`[from, to]` of each allowed route'),
  max: z
    .record(z.string(), amount)
    .default({})
    .describe('By currency: maximum of one transfer. A currency that is not named is not transferred'),
  maxPerDay: z.record(z.string(), amount).default({}).describe('By currency: maximum of a UTC day'),
});

export const limitsSchema = z.strictObject({
  ...limitShape,
  ...portfolioShape,
  ...latchShape,
  ...protectionShape,
  transfers: transfersSchema.optional().describe('What this strategy may transfer; nothing by default'),
  p2p: z.boolean().optional().describe('Whether this strategy may act on P2P; not by default'),
  budget: most('Value of all positions and working orders of this strategy together'),
  share: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('The same as a part of equity: its share of the capital; all shares together are 1 at most'),
  maxDailyLoss: most('Loss of the day at which this strategy takes no new risk'),
  maxDrawdown: most('Fall from the highest profit of this session at which this strategy takes no new risk'),
  messagesPerSecond: messages.optional().describe('Creates and cancels within a second'),
});

export const riskSchema = z.strictObject({
  ...limitShape,
  ...portfolioShape,
  ...latchShape,
  maxOpenOrders: z.number().int().min(0).default(200).describe('Orders that work or are in flight at one time'),
  maxOrderEquityFraction: from(0, 0.5, 'Value of one order as a part of equity'),
  priceCollar: from(0, 0.05, 'Largest distance of a limit price from the mid, as a fraction of the mid'),
  messagesPerSecond: messages.default(50).describe('Creates and cancels within a second'),
  dailyLossFraction: fraction
    .default(0.2)
    .describe('Loss since the first valuation of the UTC day, as a part of that equity'),
  drawdownFraction: fraction
    .optional()
    .describe('Fall from the highest equity of this session, as a part of that equity; not limited unless configured'),
  repeatedRejects: z
    .number()
    .int()
    .min(1)
    .default(3)
    .describe('Identical refusals in a row after which the same order is not tried again for `rejectCooldownMs`'),
  unprotectedMs: from(
    0,
    5_000,
    'Time after which a position without an exit raises an alarm, for strategies with `protect`, ms',
  ),
  rejectCooldownMs: from(0, 60_000, 'Time for which the same order is not tried again, ms'),
  intentTtlMs: from(1, 10_000, 'How long an intent may wait in queues before it is dropped instead of sent'),
  stallMs: from(
    1_000,
    5_000,
    'How long a strategy may hold the process, ms; then another thread cancels open orders and ends the process',
  ),
  perpetuals: z
    .strictObject({
      positionMode: z
        .enum(['one-way', 'hedge'])
        .optional()
        .describe('One net position per symbol, or a long and a short one at the same time'),
      marginType: z.enum(['isolated', 'cross']).optional().describe('Margin per position, or shared by the account'),
      leverage: z.number().min(1).optional().describe('The largest allowed leverage'),
    })
    .prefault({})
    .describe(
      'Required settings of perpetual positions. Default of mode and margin type: those of the first position of each symbol',
    ),
  exitCheck: z
    .enum(['off', 'warn', 'deny'])
    .default('warn')
    .describe(
      'Whether an order that opens must leave a position that can be closed: above the minima of the instrument after a fee of `exitFee` in base and a move of the price against it by `exitMove`. `warn` journals a note, `deny` denies the order',
    ),
  exitMove: fraction.default(0.05).describe('Adverse price move that `exitCheck` assumes, as a fraction'),
  exitFee: fraction.default(0.002).describe('Fee in base that `exitCheck` assumes, as a fraction'),
  surveillance: z
    .strictObject({
      action: z.enum(['off', 'warn', 'deny']).default('off').describe('Reaction when a ratio is exceeded'),
      windowMs: from(1_000, 600_000, 'Length of the window, ms'),
      minOrders: z.number().int().min(1).default(100).describe('Ratios are not checked below this number of orders'),
      ordersPerFill: z.number().min(1).optional().describe('Orders sent for each fill'),
      cancelsPerFill: z.number().min(1).optional().describe('Cancels sent for each fill'),
      layers: z
        .number()
        .int()
        .min(2)
        .optional()
        .describe('Prices on one side, with less than half as many on the other, while it trades against that side'),
      selfCrosses: z.number().int().min(0).optional().describe('Orders that would have met own ones'),
    })
    .prefault({})
    .describe(
      'Surveillance of own conduct, per strategy and symbol within the window. A ratio that is left out is not checked',
    ),
  canary: canarySchema.optional(),
  symbols: z.record(z.string(), z.strictObject(limitShape)).default({}).describe('Further limits per symbol'),
});

export type StrategyLimits = z.output<typeof limitsSchema>;
export type CanaryOptions = z.output<typeof canarySchema>;
export type RiskOptions = z.output<typeof riskSchema>;
