/**
 * Codes (vouchers) on the wire (wire profile, "code"). Whoever knows the secret text of a code owns its money: it is in
 * the answer to creation and in `full` to its creator, and must not be logged.
 */
import { z } from 'zod';
import { codeStatuses, type CodeStatus } from '../interface/states.ts';
import { id, optionalText, optionalTime, positiveDecimal, text } from './scalars.ts';

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
  /** The secret text. */
  readonly code: string;
}

export const newCodeSchema: z.ZodType<NewCode> = z.object({ ...row, code: text });

export interface CodeDetail extends CodeRow {
  /** The secret text; null to everybody but the creator. */
  readonly code: string | null;
}

export const codeDetailSchema: z.ZodType<CodeDetail> = z.object({ ...row, code: optionalText });
