/**
 * Choices where the documents say nothing (docs/sandbox.md). The defaults are `assumed-v1`. Amounts and rates are
 * decimal text.
 */
import { z } from 'zod';
import { dec, decimalText, isDecimalText } from '../../model/numbers/money.ts';
import { futuresTerms } from './futures/options.ts';
import { currencies } from './market/instruments.ts';

const amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => isDecimalText(text) && !text.startsWith('-'), 'expected a decimal of zero or above, such as "0.1"')
  .transform((text) => decimalText(text));

const fraction = amount.refine((text) => dec(text).lte(1), 'expected a fraction from 0 to 1');
const durationMs = z
  .int()
  .min(0)
  .max(366 * 24 * 3_600_000);
const count = z.int().min(1).max(100_000);
const name = z.string().regex(/^[A-Za-z0-9-]{1,32}$/, 'expected 1 to 32 letters, digits or -');

const currency = z.enum(currencies.map((row) => row.currency));

const feeTerms = z
  .strictObject({
    maker: fraction.default('0.0002').describe('fraction of what a resting order trades'),
    taker: fraction.default('0.0005').describe('fraction of what an incoming order trades'),
  })
  .prefault({});

const loginTerms = z
  .strictObject({
    tokenLifetimeMs: durationMs.default(3_600_000).describe('of a login token (JWT)'),
    totpStepsAround: z.int().min(0).max(10).default(1).describe('steps of 30 s before and after now whose codes count'),
    wrongCodesMax: count.default(10).describe('wrong codes of a user in a row until none counts for a while (429)'),
    wrongCodesPauseMs: durationMs.default(60_000).describe('how long none counts after the last wrong one'),
  })
  .prefault({});

const fiatTerms = z
  .strictObject({
    takenAfterMs: durationMs.default(120_000).describe('from submission until the staff takes an application'),
    doneAfterMs: durationMs.default(300_000).describe('from then until it is decided'),
    minAmount: amount.default('100').describe('smallest amount of an application'),
    openMax: count.default(100).describe('applications of one user that are not over'),
  })
  .prefault({});

const withdrawalTerms = z
  .strictObject({
    takenAfterMs: durationMs.default(90_000).describe('how long a withdrawal can be cancelled'),
    doneAfterMs: durationMs.default(60_000).describe('from then until it is on the chain'),
    openMax: count.default(100).describe('withdrawals of one user that are not over'),
  })
  .prefault({});

const network = z.strictObject({
  network: name,
  title: z.string().min(1),
  addressPrefix: z.string().max(16).describe('where tidewire does not know the form of addresses'),
  addressDigits: z.int().min(2).max(64),
  usesMemo: z.boolean().describe('one address for all users, distinguished by a memo'),
  blockMs: durationMs,
});

const currencyNetwork = z.strictObject({
  currency,
  network: name,
  minAmount: amount.describe('of a withdrawal, without the fee'),
  fee: amount.describe('paid on top of the amount, in the same currency'),
  confirmations: z.int().min(0).max(1000).describe('blocks until a deposit counts'),
});

// prettier-ignore
const cryptoTerms = z
  .strictObject({
    networks: z.array(network).default([
      { network: 'BTC', title: 'Bitcoin', addressPrefix: 'bc1q', addressDigits: 38, usesMemo: false, blockMs: 600_000 },
      { network: 'ERC20', title: 'Ethereum', addressPrefix: '0x', addressDigits: 40, usesMemo: false, blockMs: 12_000 },
      { network: 'TRC20', title: 'Tron', addressPrefix: 'T', addressDigits: 33, usesMemo: false, blockMs: 3_000 },
      { network: 'TON', title: 'The Open Network', addressPrefix: 'UQ', addressDigits: 46, usesMemo: true, blockMs: 5_000 },
    ]),
    currencies: z.array(currencyNetwork).default([
      { currency: 'USDT', network: 'TRC20', minAmount: '10', fee: '1', confirmations: 20 },
      { currency: 'USDT', network: 'ERC20', minAmount: '20', fee: '5', confirmations: 12 },
      { currency: 'USDT', network: 'TON', minAmount: '5', fee: '0.5', confirmations: 10 },
      { currency: 'BTC', network: 'BTC', minAmount: '0.001', fee: '0.0001', confirmations: 2 },
      { currency: 'ETH', network: 'ERC20', minAmount: '0.01', fee: '0.001', confirmations: 12 },
    ]),
    addressesMax: count.default(100).describe('addresses of one user for one currency and network'),
  })
  .prefault({})
  .refine(
    ({ networks, currencies }) => currencies.every((row) => networks.some((each) => each.network === row.network)),
    'a currency names a network that is not among the networks',
  );

const overdraftTerms = z
  .strictObject({
    currency: currency.default('USDT'),
    limit: amount.default('10000').describe('credit line of each user'),
    interestRateDaily: fraction.default('0.0005').describe('fraction of the principal a day, charged by the hour'),
  })
  .prefault({});

const percent = z.number().min(0).max(100);

const p2pMarketTerms = z.strictObject({
  base: currency,
  quote: currency,
  rule: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('anchor'), price: amount, ask: percent, bid: percent }),
    z.strictObject({ kind: z.literal('spread'), symbol: name, ask: percent, bid: percent }),
  ]),
  advertisementMin: amount.describe('of base'),
  advertisementMax: amount.describe('of base'),
  tradeMin: amount.describe('of quote'),
  tradeMax: amount.describe('of quote'),
});

const p2pTerms = z
  .strictObject({
    markets: z.array(p2pMarketTerms).default([
      {
        base: 'USDT',
        quote: 'RUB',
        rule: { kind: 'anchor', price: '95', ask: 10, bid: 10 },
        advertisementMin: '1',
        advertisementMax: '1000000',
        tradeMin: '10',
        tradeMax: '100000000',
      },
    ]),
    deactivatedMax: count.default(10).describe('deactivated advertisements of one user, side and pair'),
    arbiterDecidesAfterMs: durationMs.default(1_800_000).describe('from an appeal to its decision'),
  })
  .prefault({});

export const assumedSchema = z.strictObject({
  fees: feeTerms,
  referralShare: fraction.default('0.1').describe('part of a fee that goes to whoever invited the user'),
  login: loginTerms,
  fiat: fiatTerms,
  withdrawals: withdrawalTerms,
  crypto: cryptoTerms,
  codesOpenMax: count.default(1000).describe('codes of one user that nobody has redeemed yet'),
  overdraft: overdraftTerms,
  futures: futuresTerms,
  p2p: p2pTerms,
  activeOrdersMax: count.default(10_000).describe('active orders of one user'),
  historyMax: count
    .default(100_000)
    .describe('orders, trades and transactions of one user each; the oldest that are over are forgotten beyond it'),
});

export type AssumedInput = z.input<typeof assumedSchema>;
export type Assumed = z.output<typeof assumedSchema>;

export const assumedDefaults: Assumed = assumedSchema.parse({});
