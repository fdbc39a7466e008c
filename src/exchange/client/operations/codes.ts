/** Codes (vouchers). A code's text is its money: never log requests or answers. */
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import { codeDetailSchema, codeSchema, type CodeDetail, type CodeRow } from '../../wire/money/codes.ts';
import { readObject, type Answer } from './answer.ts';
import type { MoneyPorts } from './money.ts';
import { readPages } from './pages.ts';

export interface CodeOperations {
  /** Newest first; all of them without `activated`. */
  list(activated?: boolean): Promise<Reading<CodeRow>>;
  full(codeId: string): Promise<Answer<CodeDetail>>;
}

export function createCodeOperations({ http, clock }: MoneyPorts, lane: Lane): CodeOperations {
  return Object.freeze({
    list: (activated?: boolean) =>
      readPages(http, clock, { endpoint: 'codes', lane, query: { activated }, paged: true }, codeSchema),
    full: (codeId: string) =>
      readObject(http, { endpoint: 'codeDetail', lane, body: { codeId } }, codeDetailSchema, { codeId }),
  });
}
