/** What the money codecs tolerate and what they refuse (wire profile, introduction and "Conventions"). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { apiKeySchema, newApiKeySchema } from '../../../src/exchange/wire/api-keys.ts';
import { decodeList, decodeObject, decodePage } from '../../../src/exchange/wire/body.ts';
import { codeDetailSchema, codeSchema, newCodeSchema } from '../../../src/exchange/wire/money/codes.ts';
import { withdrawalSchema } from '../../../src/exchange/wire/money/crypto.ts';
import { fiatApplicationSchema } from '../../../src/exchange/wire/money/fiat.ts';
import { overdraftLoanSchema, overdraftSchema } from '../../../src/exchange/wire/money/overdraft.ts';
import { schemaRows } from '../../../src/exchange/wire/schema-table.ts';
import { transactionSchema, transferRouteSchema } from '../../../src/exchange/wire/money/transfers.ts';

function read<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = decodeObject(schema, 'test', json);
  if (result.kind === 'failure') throw new Error(`${result.field}: ${result.problem}`);
  return result.value;
}

function field<T>(schema: z.ZodType<T>, json: unknown): string {
  const result = decodeObject(schema, 'test', json);
  return result.kind === 'failure' ? result.field : 'none';
}

const transaction = {
  transactionId: 7,
  type: 'deposit',
  status: 'completed',
  currency: 'USDT',
  amount: 1.5,
  fee: '0.0',
  account: 'funding',
  createdAt: '2026-01-02T03:04:05Z',
  updatedAt: '1767323045000',
};

describe('money on the wire', () => {
  it('reads numbers and texts, times in every form, bare and wrapped, unknown fields aside', () => {
    const value = {
      ...transaction,
      transactionId: '7',
      amount: '1.5',
      fee: '0',
      createdAt: 1767323045000,
      updatedAt: 1767323045000,
    };
    expect(read(transactionSchema, transaction)).toEqual(value);
    expect(read(transactionSchema, { data: { ...transaction, surprise: {} } })).toEqual(value);
    for (const list of [
      [transaction],
      { items: [transaction], nextCursor: null },
      { data: { items: [transaction] } },
    ]) {
      expect(decodePage(transactionSchema, 'test', list)).toMatchObject({ kind: 'value', value: { items: [value] } });
    }
  });

  it('keeps transactions of kinds that nobody has heard of', () => {
    expect(read(transactionSchema, { ...transaction, type: 'gift', status: 'frozen' })).toMatchObject({
      type: 'gift',
      status: 'frozen',
    });
  });

  it('never reads a list that is not there as an empty one', () => {
    for (const body of [null, {}, { items: null }, { data: null }, '']) {
      expect(decodeList(transferRouteSchema, 'test', body)).toMatchObject({ kind: 'failure' });
    }
  });

  it('names the field that does not fit', () => {
    expect(field(transactionSchema, { ...transaction, amount: '-1' })).toBe('amount');
    expect(field(transactionSchema, { ...transaction, amount: 2 ** 53 })).toBe('amount');
    expect(field(transactionSchema, { ...transaction, account: 'savings' })).toBe('account');
    const code = { codeId: 'c', code: 's', currency: 'USDT', amount: '1', status: 'active' };
    expect(field(newCodeSchema, { ...code, code: null })).toBe('code');
    expect(field(newCodeSchema, { ...code, amount: '0' })).toBe('amount');
    expect(field(codeSchema, { ...code, status: 'spent' })).toBe('status');
    const withdrawal = { transactionId: '1', currency: 'BTC', network: 'BTC', address: 'a', amount: '1', fee: '0' };
    expect(field(withdrawalSchema, { ...withdrawal, status: 'lost' })).toBe('status');
    expect(field(newApiKeySchema, { publicKey: 'ab'.repeat(32), secretKey: 'short' })).toBe('secretKey');
    expect(field(newApiKeySchema, { publicKey: 'ab'.repeat(31), secretKey: 'cd'.repeat(32) })).toBe('publicKey');
    expect(field(transferRouteSchema, { from: 'funding', to: 'p2p' })).toBe('currencies');
  });

  it('loses no secret for its length, of which the interface says nothing', () => {
    const pair = { publicKey: 'ab'.repeat(32), secretKey: 'cd'.repeat(64) };
    expect(read(newApiKeySchema, pair)).toEqual(pair);
  });

  it('fills what the profile leaves out', () => {
    const code = { codeId: 'c', currency: 'USDT', amount: '1', status: 'activated' };
    const empty = { recipient: null, comment: null, createdAt: null, activatedAt: null, activatedBy: null };
    expect(read(codeSchema, code)).toEqual({ ...code, ...empty });
    expect(read(codeDetailSchema, code)).toEqual({ ...code, ...empty, code: null });
    const application = { applicationId: 1, status: 'created', type: 'deposit', currency: 'RUB', amount: 100 };
    expect(read(fiatApplicationSchema, application)).toMatchObject({ applicationId: '1', amount: '100', method: null });
    const key = { publicKey: 'ab'.repeat(32), name: '', permissions: [], createdAt: 1 };
    expect(read(apiKeySchema, key)).toMatchObject({ ipAddresses: [], expiresAt: null, status: null });
    expect(read(overdraftLoanSchema, { principal: 0, interest: 0, total: 0 })).toMatchObject({ openedAt: null });
    expect(field(overdraftSchema, { enabled: 'yes' })).toBe('enabled');
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...schemaRows), fc.jsonValue(), ({ schema }, json) => {
        expect(['value', 'failure']).toContain(decodeObject(schema, 'test', json).kind);
      }),
    );
  });
});
