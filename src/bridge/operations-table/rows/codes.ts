/** Codes (vouchers). The text of a code is its money: nothing but the terminal answers it. */
import { z } from 'zod';
import { codeDetailSchema, codeSchema, newCodeSchema } from '../../../exchange/wire/money/codes.ts';
import { moneyRow, readAll, terminalRow, type OperationRow } from '../operation-row.ts';
import { code } from '../outputs/account.ts';
import { amount, currency, id } from '../parameters.ts';

const codeText = z
  .string()
  .regex(/^[\x21-\x7e]{4,256}$/)
  .describe('Of the code; the journal keeps its hash');

export const codeRows: readonly OperationRow[] = [
  readAll({
    name: 'codes.my',
    about: 'Own codes without their text, newest first',
    endpoints: ['codes'],
    command: 'codes my',
    params: z.strictObject({ activated: z.enum(['true', 'false']).optional().describe('Without it all') }),
    item: code,
    run: ({ money }, { activated }) => money.codes.list(activated === undefined ? undefined : activated === 'true'),
  }),
  terminalRow({
    name: 'codes.show',
    about: 'One code; its text only where it is asked for',
    endpoints: ['codeDetail'],
    command: 'codes show',
    params: z.strictObject({ codeId: id }),
    output: codeDetailSchema,
    method: 'money.codes.full',
    moves: 'nothing',
    terminalOnly: 'the text of a code is its money, and no answer of the API holds a secret',
  }),
  moneyRow({
    name: 'codes.create',
    about: 'Create a code: money that its bearer can redeem',
    endpoints: ['createCode'],
    command: 'codes create',
    params: z.strictObject({
      currency,
      amount,
      recipient: z.string().min(1).max(128).optional().describe('The only login that may redeem it'),
      comment: z.string().min(1).max(256).optional(),
    }),
    output: newCodeSchema,
    money: 'codeCreate',
    terminalOnly: 'it takes money out of the account, as a withdrawal does',
  }),
  moneyRow({
    name: 'codes.redeem',
    about: 'Redeem a code; the terminal asks for its text, which is never an argument',
    endpoints: ['redeemCode'],
    command: 'codes redeem',
    params: z.strictObject({ text: codeText }),
    output: codeSchema,
    money: 'codeRedeem',
  }),
];
