/**
 * Options of the execution room: `risk`, `strategies[].limits`, `journal` and `reconcile` of the config (config.md).
 * Amounts are canonical decimal text; a limit that is left out does not apply, other than the defaults given here.
 */
import { z } from 'zod';
import { isDecimalText } from '../model/money.ts';

const amount = z
  .union([z.string(), z.number()])
  .transform((value) => String(value))
  .refine(
    (text) => isDecimalText(text) && !text.startsWith('-'),
    'expected a decimal that is not negative, such as "0.5"',
  );
const fraction = z.number().min(0).max(1);
/** Each of a window is remembered by its time. */
const messages = z.number().int().min(1).max(1_000_000);

/** Limits that hold for an account, a symbol or a strategy alike. Values are in the reporting currency. */
const limitShape = {
  /** Base units of one order. */
  maxOrderQuantity: amount.optional(),
  /** Value of one order. */
  maxOrderValue: amount.optional(),
  /** Base units held if everything working in one direction filled. */
  maxPosition: amount.optional(),
  maxPositionValue: amount.optional(),
  maxOpenOrders: z.number().int().min(0).optional(),
  /** Value of everything that works, is in flight or unknown, together. */
  maxOpenNotional: amount.optional(),
};

/** Limits that hold for an account or a strategy over all symbols. */
const portfolioShape = {
  /** Σ over symbols of the larger of |everything bought| and |everything sold|, in value. */
  maxGrossValue: amount.optional(),
  /** |Σ over symbols of signed value|, if everything in one direction filled. */
  maxNetValue: amount.optional(),
  messagesPerMinute: messages.optional(),
  /** Value of all orders sent within a minute, filled or not. */
  maxOrderValuePerMinute: amount.optional(),
  maxOrderValuePerHour: amount.optional(),
  /** Only these may be traded; a list, even an empty one, denies every other symbol. */
  allowedSymbols: z.array(z.string()).optional(),
};

/** What latches a strategy until a human enables it again; nothing unless configured. */
const latchShape = {
  /** Fills within the window. */
  repeatedExecutions: z
    .strictObject({ count: z.number().int().min(1).max(100_000), windowMs: z.number().min(1) })
    .optional(),
  /** Refusals in a row, of whatever order and for whatever reason. */
  rejectsInARow: z.number().int().min(1).optional(),
};

/** What holds for a version of a strategy that nobody has approved. */
const canarySchema = z.strictObject({
  /** What it may use of each limit of account, symbol and strategy. */
  share: z.number().gt(0).max(1).default(0.1),
  /** Further limits for that time; they hold whole. */
  limits: z
    .strictObject({
      ...limitShape,
      maxGrossValue: amount.optional(),
      maxNetValue: amount.optional(),
      maxOrderValuePerMinute: amount.optional(),
      maxOrderValuePerHour: amount.optional(),
      allowedSymbols: z.array(z.string()).optional(),
      budget: amount.optional(),
      maxDailyLoss: amount.optional(),
      maxDrawdown: amount.optional(),
    })
    .prefault({}),
  /** Fills and time without which it cannot be widened; 0 asks for none. */
  minFills: z.number().int().min(0).default(20),
  minMs: z.number().min(0).default(3_600_000),
});

const account = z.enum(['funding', 'unified-trading', 'p2p', 'referral-program', 'overdraft']);

/** What strategies may transfer: nothing that is not named here. */
const transfersSchema = z.strictObject({
  /** `[from, to]` of each allowed route. */
  routes: z.array(z.tuple([account, account])).default([]),
  /** By currency: the most of one transfer. A currency that is not named is not transferred. */
  max: z.record(z.string(), amount).default({}),
  /** By currency: the most of a UTC day. */
  maxPerDay: z.record(z.string(), amount).default({}),
});

export const limitsSchema = z.strictObject({
  ...limitShape,
  ...portfolioShape,
  ...latchShape,
  transfers: transfersSchema.optional().describe('What this strategy may transfer; nothing by default'),
  /** Advertisements and trades of P2P. `confirm` as well, which releases money for good. */
  p2p: z.boolean().optional().describe('Whether this strategy may act on P2P; not by default'),
  /** Value of all positions and working orders of this strategy together. */
  budget: amount.optional(),
  /** Loss of the day at which this strategy takes no new risk. */
  maxDailyLoss: amount.optional(),
  /** Fall from the highest profit of this session at which this strategy takes no new risk. */
  maxDrawdown: amount.optional(),
  messagesPerSecond: messages.optional(),
});

export const riskSchema = z.strictObject({
  ...limitShape,
  ...portfolioShape,
  ...latchShape,
  maxOpenOrders: z.number().int().min(0).default(200),
  /** Value of one order as a part of equity. */
  maxOrderEquityFraction: z.number().min(0).default(0.5),
  /** Largest distance of a limit price from the mid, as a fraction of the mid. */
  priceCollar: z.number().min(0).default(0.05),
  messagesPerSecond: messages.default(50),
  /** Loss since the first valuation of the UTC day, as a part of that equity. */
  dailyLossFraction: fraction.default(0.2),
  /** Fall from the highest equity of this session, as a part of that equity; not limited unless configured. */
  drawdownFraction: fraction.optional(),
  /** Identical refusals in a row after which the same thing is not tried again for `rejectCooldownMs`. */
  repeatedRejects: z.number().int().min(1).default(3),
  rejectCooldownMs: z.number().min(0).default(60_000),
  /** How long an intent may wait in queues before it is dropped instead of sent. */
  intentTtlMs: z.number().min(1).default(10_000),
  /** What positions of perpetuals must be like; mode and margin type, when left out, as the first position of each symbol. */
  perpetuals: z
    .strictObject({
      positionMode: z.enum(['one-way', 'hedge']).optional(),
      marginType: z.enum(['isolated', 'cross']).optional(),
      /** At most. */
      leverage: z.number().min(1).optional(),
    })
    .prefault({}),
  /**
   * Whether an order that opens must leave a position that can be closed: above the minima of the instrument after a fee of
   * `exitFee` in base and a move of the price against it by `exitMove`. `warn` journals a note, `deny` holds it back.
   */
  exitCheck: z.enum(['off', 'warn', 'deny']).default('warn'),
  exitMove: fraction.default(0.05),
  exitFee: fraction.default(0.002),
  /** The look at one's own conduct, of each strategy and symbol within the window; what is left out is not looked at. */
  surveillance: z
    .strictObject({
      action: z.enum(['off', 'warn', 'deny']).default('off'),
      windowMs: z.number().min(1_000).default(600_000),
      /** Ratios say nothing below so many orders. */
      minOrders: z.number().int().min(1).default(100),
      ordersPerFill: z.number().min(1).optional(),
      cancelsPerFill: z.number().min(1).optional(),
      /** Prices on one side, with less than half as many on the other, while it trades against that side. */
      layers: z.number().int().min(2).optional(),
      /** Orders that would have met own ones. */
      selfCrosses: z.number().int().min(0).optional(),
    })
    .prefault({}),
  /** Live sessions alone: tighter limits for each version of a strategy until a human widens them; off unless given. */
  canary: canarySchema.optional(),
  /** Further limits per symbol. */
  symbols: z.record(z.string(), z.strictObject(limitShape)).default({}),
});

export const journalSchema = z.strictObject({
  dir: z.string().default('data/sessions'),
  /** `full`: fsync per commit. `normal` may lose the last moments on a power cut, never on a crash. */
  durability: z.enum(['full', 'normal']).default('full'),
});

export const reconcileSchema = z.strictObject({
  intervalMs: z.number().min(100).default(10_000),
  /** While an order is unknown or a cancel is overdue. */
  urgentIntervalMs: z.number().min(100).default(2_000),
  sweepIntervalMs: z.number().min(1_000).default(300_000),
  /** Validity of a signed request at the exchange (interface, signature window). */
  signatureWindowMs: z.number().min(0).default(30_000),
  /** On top of window and clock doubt. */
  fenceMarginMs: z.number().min(0).default(8_000),
  /** How far the clock of an earlier process may have been off: its gate let 10 s through, known to ± 5 s. */
  earlierClockMs: z.number().min(0).default(15_000),
  /** Two readings that prove an absence lie at least this far apart. */
  historyLagMs: z.number().min(0).default(30_000),
  /** Differences in balances up to this amount are rounding of the exchange. */
  balanceTolerance: amount.default('0.00000001'),
});

export const executionSchema = z.strictObject({
  risk: riskSchema.prefault({}),
  reconcile: reconcileSchema.prefault({}),
});

export type StrategyLimits = z.output<typeof limitsSchema>;
export type CanaryOptions = z.output<typeof canarySchema>;
export type RiskOptions = z.output<typeof riskSchema>;
export type ExecutionOptions = z.output<typeof executionSchema>;
