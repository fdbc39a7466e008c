/** Balances, history, fees, and transfers between accounts of the same user. */
import { z } from 'zod';
import { limits } from '../../../exchange/interface/limits.ts';
import { transactionStatuses, transactionTypes } from '../../../exchange/interface/states.ts';
import { transferSchema } from '../../../exchange/wire/money/transfers.ts';
import { moneyRow, readAll, readOne, type OperationRow } from '../operation-row.ts';
import {
  asset,
  balance,
  currentUser,
  feeRate,
  networkTitle,
  referral,
  transaction,
  transferRoute,
} from '../outputs/account.ts';
import { account, amount, currency, most, none, period, symbol } from '../parameters.ts';

const transactionPage = z.object({
  items: z.array(transaction),
  isLast: z.boolean(),
  nextCursor: z.string().nullable().describe('For `cursor` of the next request; null with `isLast` false: unknown'),
});

export const accountRows: readonly OperationRow[] = [
  readAll({
    name: 'account.overview',
    about: 'Balances of every account',
    endpoints: ['balances'],
    command: 'account overview',
    params: z.strictObject({ account: account.optional(), currency: currency.optional() }),
    item: balance,
    run: async (reads, wanted) => {
      const reading = await reads.account.balances();
      if (reading.kind === 'failed') return reading;
      const items = reading.items.filter(
        (row) =>
          (wanted.account === undefined || row.account === wanted.account) &&
          (wanted.currency === undefined || row.currency === wanted.currency),
      );
      return { ...reading, items };
    },
  }),
  readOne({
    name: 'account.transactions',
    about: 'Deposits, withdrawals, transfers and the rest, newest first, a page at a time',
    endpoints: ['transactions'],
    command: 'account transactions',
    params: z.strictObject({
      type: z.enum(transactionTypes).optional(),
      status: z.enum(transactionStatuses).optional(),
      ...period,
      limit: most(limits.pageLimitMax).default(limits.pageLimitDefault),
      cursor: z.string().min(1).max(512).optional().describe('Where the last page ended'),
    }),
    item: transactionPage,
    run: async ({ money }, { type, status, from, to, limit, cursor }) => {
      const answer = await money.transfers.transactionPage({
        limit,
        ...(type === undefined ? {} : { type }),
        ...(status === undefined ? {} : { status }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return answer.kind === 'failed'
        ? answer
        : { kind: 'value', value: { ...answer.value, items: [...answer.value.items] } };
    },
  }),
  readAll({
    name: 'account.fees',
    about: 'Personal trading fees, of a symbol or of all',
    endpoints: ['fees'],
    command: 'account fees',
    params: z.strictObject({ symbol: symbol.optional() }),
    item: feeRate,
    run: (reads, { symbol: wanted }) => reads.account.fees(wanted),
  }),
  readOne({
    name: 'account.referral',
    about: 'The referral link and what it has earned',
    endpoints: ['referralLink', 'referralReward'],
    command: 'account referral',
    params: none,
    item: referral,
    run: async ({ money }) => {
      const link = await money.referrals.link();
      if (link.kind === 'failed') return link;
      const reward = await money.referrals.reward(link.value.linkId);
      if (reward.kind === 'failed') return reward;
      return { kind: 'value', value: { ...link.value, rewards: reward.value.rewards.map((row) => ({ ...row })) } };
    },
  }),
  readOne({
    name: 'account.me',
    about: 'Whose key this process has',
    endpoints: ['me'],
    command: 'account me',
    params: none,
    item: currentUser,
    run: (reads) => reads.account.me(),
  }),
  readAll({
    name: 'account.assets',
    about: 'The currencies of the exchange',
    endpoints: ['assets'],
    command: 'account assets',
    params: none,
    item: asset,
    run: ({ money }) => money.dictionaries.assets(),
  }),
  readAll({
    name: 'account.networks',
    about: 'The networks of the exchange',
    endpoints: ['networks'],
    command: 'account networks',
    params: none,
    item: networkTitle,
    run: ({ money }) => money.dictionaries.networks(),
  }),
  readAll({
    name: 'transfer.routes',
    about: 'Which account can send what to which',
    endpoints: ['transferRoutes'],
    command: 'transfer routes',
    params: none,
    item: transferRoute,
    run: ({ money }) => money.transfers.routes(),
  }),
  moneyRow({
    name: 'transfer.make',
    about: 'Move money from one account of the user to another',
    endpoints: ['transfer'],
    command: 'transfer make',
    params: z.strictObject({ from: account, to: account, currency, amount }),
    output: transferSchema,
    money: 'transfer',
  }),
];
