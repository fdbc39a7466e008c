/** What may be read for who looks on: only reads, without a secret, in the lowest lane, and nothing that needs a key without one. */
import { describe, expect, it } from 'vitest';
import type { CallResult } from '../../../src/exchange/client/classify.ts';
import type { HttpCall } from '../../../src/exchange/client/http.ts';
import { pageRead } from '../../../src/exchange/client/page-read.ts';
import { createReadingClient } from '../../../src/exchange/client/reading-client.ts';
import { endpointRows } from '../../../src/exchange/interface/endpoint-rows.ts';
import { createEndpointTable } from '../../../src/exchange/interface/endpoints.ts';
import { createCryptoOperations } from '../../../src/exchange/client/operations/crypto.ts';
import { ManualClock } from '../clocks.ts';

const endpoints = createEndpointTable();

function source(hasKey: boolean) {
  const calls: HttpCall[] = [];
  const read = (call: HttpCall): Promise<CallResult> => {
    calls.push(call);
    return Promise.resolve({ kind: 'ok', json: [] });
  };
  return { calls, source: { http: { read }, endpoints, hasKey } };
}

describe('page reads', () => {
  it('let through what changes nothing, answers no secret and takes a key, all in the lane of pages', async () => {
    const { calls, source: from } = source(true);
    for (const { name } of endpointRows) await pageRead(from, { endpoint: name });
    const through = calls.map(({ endpoint }) => endpoint);
    const rows = endpointRows.filter(({ name }) => through.includes(name));
    expect(rows.filter(({ effect }) => effect !== 'read')).toEqual([]);
    expect(rows.filter((row) => 'answersSecret' in row || row.access.kind === 'jwt-only')).toEqual([]);
    expect(through).toContain('balances');
    expect(new Set(calls.map(({ lane }) => lane))).toEqual(new Set(['page']));
  });

  it('ask for nothing but public data where there is no key', async () => {
    const { calls, source: from } = source(false);
    for (const { name } of endpointRows) await pageRead(from, { endpoint: name });
    const open = endpointRows.filter(({ access, effect }) => access.kind === 'public' && effect === 'read');
    expect(calls.map(({ endpoint }) => endpoint)).toEqual(open.map(({ name }) => name));
    expect(await pageRead(from, { endpoint: 'balances' })).toEqual({ kind: 'no-key' });
  });

  it('are busy where they waited too long, and say of another lane what it said', async () => {
    const late = (reason: string) => ({
      http: { read: (): Promise<CallResult> => Promise.resolve({ kind: 'not-sent', reason }) },
      endpoints,
      hasKey: true,
    });
    expect(await pageRead(late('waited 2000 ms in lane page'), { endpoint: 'time' })).toEqual({ kind: 'busy' });
    expect(await pageRead(late('the client is closed'), { endpoint: 'time' })).toMatchObject({ kind: 'not-sent' });
  });

  it('send nothing that changes something, whatever operation is built on them', async () => {
    const asked: unknown[] = [];
    const read = (call: unknown): Promise<CallResult> => {
      asked.push(call);
      return Promise.resolve({ kind: 'ok', json: {} });
    };
    const http = createReadingClient({ read, pageLimit: 10, requestsMax: 2 });
    const crypto = createCryptoOperations({ http, clock: new ManualClock() }, 'page');
    const outcome = await new Promise((resolve) => crypto.newAddress('USDT', 'TRC20', { lane: 'create' }, resolve));
    expect(outcome).toEqual({ kind: 'not-sent', reason: 'this client only reads' });
    expect(await http.read({ endpoint: 'codeDetail', lane: 'page', body: { codeId: '1' } })).toMatchObject({
      kind: 'not-sent',
    });
    expect(asked).toEqual([]);
  });

  it('end a list after its most requests', async () => {
    const read = (): Promise<CallResult> => Promise.resolve({ kind: 'ok', json: {} });
    const http = createReadingClient({ read, pageLimit: 10, requestsMax: 2 });
    const kinds = [];
    for (let i = 0; i < 3; i++) kinds.push((await http.read({ endpoint: 'time', lane: 'page' })).kind);
    expect(kinds).toEqual(['ok', 'ok', 'not-sent']);
  });
});
