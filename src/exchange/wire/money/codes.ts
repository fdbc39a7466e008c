/** Codes (vouchers). The secret text is the money: never log it. */
import { z } from 'zod';
import { codeStatuses, type CodeStatus } from '../../interface/states.ts';
import { id, optionalText, optionalTime, positiveDecimal, text } from '../scalars.ts';

export interface CodeRow {
  readonly codeId: string;
  readonly currency: string;
  readonly amount: string;
  readonly status: CodeStatus;
  readonly recipient: string | null;
  readonly comment: string | null;
  readonly createdAt: number | null;
  readonly activatedAt: number | null;
  readonly activatedBy: string | null;
}

const row = {
  codeId: id,
  currency: text,
  amount: positiveDecimal,
  status: z.enum(codeStatuses),
  recipient: optionalText,
  comment: optionalText,
  createdAt: optionalTime,
  activatedAt: optionalTime,
  activatedBy: optionalText,
};

export const codeSchema: z.ZodType<CodeRow> = z.object(row);

export interface NewCode extends CodeRow {
  readonly code: string;
}

export const newCodeSchema: z.ZodType<NewCode> = z.object({ ...row, code: text });

export interface CodeDetail extends CodeRow {
  /** Secret; null unless the caller created it. */
  readonly code: string | null;
}

export const codeDetailSchema: z.ZodType<CodeDetail> = z.object({ ...row, code: optionalText });
