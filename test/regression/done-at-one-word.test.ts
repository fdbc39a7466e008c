/**
 * Found by a stranger: a fiat application that was answered as ended, a step that was answered as done while its row stood, an order
 * that was answered as filled and that the exchange knows nothing of, and a deleted key that worked were all exit 0.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { openCliDesk, type CliDesk, type Json } from '../cli/cli-desk.ts';
import { openLyingExchange, type Lie, type LyingExchange } from '../cli/lying-exchange.ts';

const APPLICATION = '/api/v1/processing/fiat-application';
const SUBMIT = '/api/v1/processing/create-and-submit-fiat-application';
const P2P = '/api/v1/p2p/client';

let desk: CliDesk;
let liar: LyingExchange;
beforeAll(async () => {
  desk = await openCliDesk(95);
  liar = await openLyingExchange(desk);
});
afterEach(() => {
  liar.lie = null;
});
afterAll(async () => {
  liar.stop();
  await desk.stop();
});

function keys(): Record<string, string> {
  const { publicKey, secretKey } = desk.running.users[0]!.apiKey;
  return { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
}

async function ends(lie: Omit<Lie, 'times'>, ...argv: readonly string[]): Promise<readonly unknown[]> {
  liar.lie = { ...lie, times: 1 };
  const { code, stdout } = await liar.call(...argv, '--yes');
  const { error } = JSON.parse(stdout) as { error?: { code: string; message: string } };
  return [code, error?.code, error?.message];
}

const contradicted = (said: string): readonly unknown[] => [4, 'operation_contradicted', expect.stringContaining(said)];
const as =
  (status: string): Lie['edit'] =>
  (answer) => ({ ...answer, status });

describe('a fiat application', () => {
  const withdrawal = (amount: string): readonly string[] => ['withdrawal', 'RUB', amount, '--method', 'sbp'];

  it('that is answered as ended and is submitted is exit 4, and is not sent again', async () => {
    const lie = { method: 'POST', path: SUBMIT, edit: as('rejected') };
    const create = ['fiat', 'create', ...withdrawal('700')];
    expect(await ends(lie, ...create)).toEqual(
      contradicted('was answered as rejected, and the exchange shows it as submitted'),
    );
    await desk.fails(3, 'operation_happened', 'alice', ...create, '--yes');
  });

  it('that was rejected, as its row says too, is exit 1', async () => {
    const create = ['fiat', 'create', ...withdrawal('710')];
    // By a human elsewhere: the journal of this folder is in use.
    const elsewhere = mkdtempSync(join(desk.folder, 'elsewhere-'));
    const edit = async (answer: Json | null): Promise<Json> => {
      const drop = [
        'fiat',
        'delete',
        String(answer?.['applicationId']),
        '--yes',
        '--config',
        join(desk.folder, 'c.yaml'),
      ];
      expect((await callCli(drop, elsewhere, { env: keys() })).code).toBe(0);
      return { ...answer, status: 'canceled' };
    };
    expect((await ends({ method: 'POST', path: SUBMIT, edit }, ...create)).slice(0, 2)).toEqual([
      1,
      'operation_refused',
    ]);
  });

  it('that was drafted and is answered as submitted is exit 4', async () => {
    const lie = { method: 'POST', path: APPLICATION, edit: as('submitted') };
    expect(await ends(lie, 'fiat', 'draft', ...withdrawal('740'))).toEqual(contradicted('shows it as created'));
  });

  it('that is answered as submitted or canceled while it stands is exit 4, and canceling may be tried again', async () => {
    const draft = await desk.json('alice', 'fiat', 'draft', ...withdrawal('750'), '--yes');
    const id = String(draft['applicationId']);
    const edit =
      (status: string): Lie['edit'] =>
      () => ({ applicationId: id, status });
    const submit = { method: 'PATCH', path: APPLICATION, reaches: false, edit: edit('submitted') } as const;
    expect(await ends(submit, 'fiat', 'submit', id)).toEqual(contradicted('shows it as created'));
    const drop = { method: 'DELETE', path: APPLICATION, reaches: false, edit: edit('canceled') } as const;
    expect(await ends(drop, 'fiat', 'delete', id)).toEqual(contradicted('shows it as created'));
    expect(await desk.json('alice', 'fiat', 'delete', id, '--yes')).toMatchObject({ status: 'canceled' });
  });
});

describe('a step of P2P', () => {
  let ad: string;
  beforeEach(async () => {
    const terms = ['--price', '95.5', '--amount', '100', '--min', '500', '--max', '9550', '--method', '1', '--yes'];
    ad = String((await desk.json('alice', 'p2p', 'create', 'USDTRUB', 'sell', ...terms, '--again'))['id']);
  });
  afterEach(() => desk.json('alice', 'p2p', 'delete', ad, '--yes'));

  it.each([
    ['deactivate', 'POST', '/deactivate', 'deactivated'],
    ['delete', 'DELETE', '', 'canceled'],
  ])('%s that is answered as done while the offer is shown is exit 4', async (verb, method, end, status) => {
    const row = await fetchRow(`${P2P}/advertisement/${ad}`);
    const lie = {
      method,
      path: `${P2P}/advertisement/${ad}${end}`,
      reaches: false,
      edit: () => ({ ...row, status }),
    } as const;
    expect(await ends(lie, 'p2p', verb, ad)).toEqual(contradicted('shows it as active'));
  });

  it('cancel that is answered as done while the trade stands is exit 4, and may be tried again', async () => {
    const id = String((await desk.json('bob', 'p2p', 'respond', ad, '10', '--yes'))['id']);
    const row = await fetchRow(`${P2P}/trade/${id}`);
    const edit = (): Json => ({ ...row, status: 'cancel' });
    const lie = { method: 'POST', path: `${P2P}/trade/cancel`, reaches: false, edit } as const;
    expect(await ends(lie, 'p2p', 'cancel', id)).toEqual(contradicted('shows it as open:wait-confirm'));
    expect(await desk.json('alice', 'p2p', 'cancel', id, '--yes')).toMatchObject({ status: 'cancel' });
  });

  /** As the exchange shows it. */
  async function fetchRow(path: string): Promise<Json> {
    let row: Json = {};
    liar.lie = {
      method: 'GET',
      path,
      times: 1,
      edit: (answer) => {
        row = answer ?? {};
        return answer;
      },
    };
    const [noun, id] = path.split('/').slice(-2);
    await liar.call('p2p', noun === 'trade' ? 'trade' : 'ad', id!);
    return row;
  }
});

it('a key that is answered as deleted and works is exit 4', async () => {
  const { publicKey } = desk.running.users[0]!.apiKey;
  const path = `/api/v1/identity/client/api-key/${publicKey}`;
  liar.lie = { method: 'DELETE', path, reaches: false, edit: () => ({ publicKey }), times: 1 };
  const argv = ['keys', 'delete', publicKey, '--yes', '--json', '--config', liar.config];
  const { code, stdout } = await callCli(argv, desk.folder, { env: { ...keys(), ...desk.loginOf('alice') } });
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  expect([code, error.code, error.message]).toEqual(contradicted('shows it as active'));
});

it.each([
  ['at market', []],
  ['with a limit', ['--price', '41000']],
])('an order %s that is answered as filled and is not known is exit 4', async (_name, more) => {
  const path = '/api/v2/exchange/client/order';
  const order = ['spot', 'order', 'BTCUSDT', 'buy', '0.01', ...more];
  const edit = (answer: Json | null): Json => ({
    ...answer,
    orderId: '987654321',
    status: 'filled',
    filledQuantity: '0.01',
    averagePrice: '41000',
  });
  expect(await ends({ method: 'POST', path: `${path}/spot`, edit }, ...order)).toEqual(
    contradicted('the exchange knows no such order'),
  );
});
