/** `tidewire probe` against real sandboxes: as they are shipped every row agrees, otherwise the right row differs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshFolder } from '../e2e/cli.ts';
import { signed } from '../conformance/raw-client.ts';
import { startSandbox, type ListenOptions, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { callCli, type CliEnd } from './call-cli.ts';
import { limitedKey } from './limited-key.ts';

interface Row {
  readonly id: string;
  readonly seen: string;
  readonly assumed: string;
  readonly differs: boolean;
  readonly evidence: string;
}

interface Document {
  readonly complete: boolean;
  readonly armed: boolean;
  readonly rows: readonly Row[];
  readonly unasked: readonly { readonly id: string; readonly why: string }[];
  readonly order?: { readonly orderId: string | null; readonly gone: boolean };
  readonly unknown?: string | null;
  readonly error?: { readonly code: string };
}

interface Desk {
  readonly running: RunningSandbox;
  call(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliEnd>;
  /** The document of a call with `--json` that ends with this code. */
  probe(exit: number, ...argv: readonly string[]): Promise<Document>;
  faults(...rules: readonly object[]): Promise<void>;
  active(): Promise<readonly object[]>;
}

async function opened(options: Partial<ListenOptions> = {}, more = ''): Promise<Desk> {
  const running = await startSandbox({ clock: systemClock, seed: 7, ...options });
  onTestFinished(() => running.stop());
  const cwd = freshFolder();
  const { restUrl, wsUrl, users } = running;
  const addresses = `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${restUrl}\n  wsUrl: ${wsUrl}\n`;
  const budget = '  budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 }\n';
  writeFileSync(join(cwd, 'c.yaml'), `${addresses}${budget}${more}`);
  const { apiKey } = users[0]!;
  const own = { TIDEWIRE_API_KEY: apiKey.publicKey, TIDEWIRE_API_SECRET: apiKey.secretKey };
  const call: Desk['call'] = (argv, env = {}) =>
    callCli(['probe', ...argv, '--config', 'c.yaml'], cwd, { env: { ...own, ...env } });
  return {
    running,
    call,
    async probe(exit, ...argv) {
      const { code, stdout, stderr } = await call([...argv, '--json']);
      expect([code, code === exit ? '' : stderr]).toEqual([exit, '']);
      expect(stdout.trim().split('\n')).toHaveLength(1);
      return JSON.parse(stdout) as Document;
    },
    async faults(...rules) {
      const answer = await fetch(`${restUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ rules }) });
      expect(answer.status).toBe(200);
    },
    active: async () =>
      (await signed(restUrl, apiKey, 'GET', '/api/v2/exchange/client/order/active')).json as readonly object[],
  };
}

const differing = ({ rows }: Document): readonly string[] => rows.filter(({ differs }) => differs).map(({ id }) => id);
const rowOf = ({ rows }: Document, id: string): Row => rows.find((row) => row.id === id)!;
const armed = ['--arm', '--confirm', 'alice', '--yes'] as const;
const CREATE = '/api/v2/exchange/client/order/spot';

describe('probe/reading', () => {
  it('agrees in every row with the sandbox as it is shipped', async () => {
    const desk = await opened();
    const told = await desk.probe(0);
    expect([told.complete, told.armed, differing(told)]).toEqual([true, false, []]);
    expect(told.rows.length).toBeGreaterThan(60);
    for (const { assumed, seen, evidence } of told.rows) {
      expect(seen).toBe(assumed);
      expect(evidence.length).toBeLessThan(200);
    }
    const { apiKey } = desk.running.users[0]!;
    expect(JSON.stringify(told)).not.toContain(apiKey.secretKey);
    expect(await desk.active()).toEqual([]);
    const { stdout } = await desk.call([]);
    expect(stdout.split('\n').filter((line) => line.startsWith('agrees') && line.length > 80)).toEqual([]);
    expect(stdout).toContain(', 0 differ,');
  });

  it('shows the row that differs, with what was seen and what is assumed', async () => {
    const desk = await opened({
      assumed: {
        fees: { maker: '0.001', taker: '0.002' },
        futures: { fundingIntervalHours: 4 },
        overdraft: { limit: '500' },
      },
      overrides: { endpoints: { positions: { path: '/api/v2/elsewhere' } }, channels: { volumeRatio: 'RATIO@volume' } },
    });
    const told = await desk.probe(0);
    expect([...differing(told)].sort()).toEqual([
      'answer/positions',
      'channel/volumeRatio',
      'terms/fees',
      'terms/funding',
      'terms/overdraft',
    ]);
    expect(rowOf(told, 'answer/spotInstruments')).toMatchObject({ unread: ['pricePrecision', 'quantityPrecision'] });
    expect(rowOf(told, 'terms/fees')).toMatchObject({
      seen: 'maker 0.001, taker 0.002',
      assumed: 'maker 0.0002, taker 0.0005',
    });
    const { stdout } = await desk.call([]);
    expect(stdout).toMatch(/DIFFERS +terms\/fees/);
    expect(stdout).toContain('  assumed  maker 0.0002, taker 0.0005');
  });

  it('sees whose side own trades bear, once there is one of a resting order', async () => {
    const desk = await opened({ market: 'none' });
    const { restUrl, users } = desk.running;
    const order = { symbol: 'BTCUSDT', type: 'limit', timeInForce: 'gtc', price: '60000', quantity: '0.01' };
    for (const [user, side] of [
      [users[0]!, 'buy'],
      [users[1]!, 'sell'],
    ] as const)
      expect((await signed(restUrl, user.apiKey, 'POST', CREATE, { ...order, side })).status).toBeLessThan(300);
    expect(rowOf(await desk.probe(0, '--for', '1s'), 'trades/side').seen).toBe('own');
    await desk.faults({ fault: 'takerSide' });
    expect(rowOf(await desk.probe(0, '--for', '1s'), 'trades/side')).toMatchObject({ seen: 'taker', differs: true });
  });

  it('asks the public part alone without a key, and says what the key may not', async () => {
    const desk = await opened();
    const keyless = await desk.call(['--json'], { TIDEWIRE_API_KEY: '', TIDEWIRE_API_SECRET: '' });
    const told = JSON.parse(keyless.stdout) as Document;
    expect([keyless.code, told.complete, differing(told)]).toEqual([0, true, []]);
    expect(told.unasked.find(({ id }) => id === 'answer/me')?.why).toContain('needs an API key');
    expect(told.rows.some(({ id }) => id === 'channel/spotBalances')).toBe(false);
    const unknown = await desk.call(['--json'], { TIDEWIRE_API_KEY: 'a'.repeat(64) });
    const refused = JSON.parse(unknown.stdout) as Document;
    expect(refused.unasked.find(({ id }) => id === 'answer/me')?.why).toContain('api key not found');
  });

  it('asks what the key may see, and places nothing with a key that may not', async () => {
    const desk = await opened();
    const env = await limitedKey(desk.running, [{ category: 'trading_spot', accessLevel: 'read_only' }]);
    const { code, stdout } = await desk.call(['--json'], env);
    const told = JSON.parse(stdout) as Document;
    expect([code, told.complete, differing(told)]).toEqual([0, true, []]);
    const left = told.unasked.map(({ id }) => id);
    expect(left).toEqual(expect.arrayContaining(['answer/positions', 'terms/p2p', 'channel/positions']));
    expect(rowOf(told, 'channel/orderInfo').differs).toBe(false);
    const tried = await desk.call([...armed, '--json'], env);
    expect(JSON.parse(tried.stdout)).toMatchObject({ order: { orderId: null, gone: true }, unknown: null });
    expect(await desk.active()).toEqual([]);
  });

  it('is not complete where an answer does not come, and ends with 4', async () => {
    const desk = await opened();
    await desk.faults({ match: { path: '/api/v2/exchange/client/fee/personal' }, fault: 'status', status: 503 });
    const told = await desk.probe(4);
    expect(told.complete).toBe(false);
    expect(told.unasked.map(({ id }) => id)).toContain('terms/fees');
    await desk.running.stop();
    expect((await desk.probe(4)).error?.code).toBe('exchange_unreachable');
  });

  it('refuses what is not meant before it asks anything', async () => {
    const desk = await opened({ market: 'none' });
    expect((await desk.probe(2, '--for', 'soon')).error?.code).toBe('bad_option');
    expect((await desk.probe(1, '--symbol', 'NOSUCH')).error?.code).toBe('operation_refused');
    expect((await desk.probe(1, ...armed)).error?.code).toBe('operation_refused');
  });
});

describe('probe/armed', () => {
  it('places one order, cancels it, proves that it is gone, and agrees', async () => {
    const desk = await opened();
    const told = await desk.probe(0, ...armed);
    expect(differing(told)).toEqual([]);
    expect(told.order).toMatchObject({ orderId: expect.any(String), gone: true });
    expect(told.rows.filter(({ id }) => id.startsWith('order/')).map(({ id }) => id)).toEqual(
      ['far', 'client-id', 'active', 'lock', 'cancel', 'gone', 'history', 'cancel-again'].map((id) => `order/${id}`),
    );
    expect(await desk.active()).toEqual([]);
  });

  it('differs where the exchange keeps no client order ids', async () => {
    const desk = await opened({ clientOrderIds: false });
    const told = await desk.probe(0, ...armed);
    expect(differing(told)).toEqual(['order/client-id']);
    expect(await desk.active()).toEqual([]);
  });

  it('is refused without the account, with another one, and unless somebody says yes', async () => {
    const desk = await opened();
    expect((await desk.probe(3, '--arm')).error?.code).toBe('probe_not_confirmed');
    expect((await desk.probe(3, '--confirm', 'alice')).error?.code).toBe('probe_not_confirmed');
    expect((await desk.probe(3, '--arm', '--confirm', 'bob', '--yes')).error?.code).toBe('live_wrong_account');
    expect((await desk.probe(3, '--arm', '--confirm', 'alice')).error?.code).toBe('not_confirmed');
    expect(await desk.active()).toEqual([]);
  });

  it('says that an outcome is unknown, ends with 4, and takes back the order that rests', async () => {
    const desk = await opened();
    await desk.faults({ match: { path: CREATE }, fault: 'dropAfterEffect', times: 1 });
    const told = await desk.probe(4, ...armed);
    expect(told).toMatchObject({ order: { gone: true }, unknown: expect.stringContaining('not known') });
    expect(await desk.active()).toEqual([]);
    // One of the same terms that happened and is canceled keeps no later one away.
    await desk.faults();
    expect((await desk.probe(0, ...armed)).order).toMatchObject({ gone: true });
    await desk.faults({ match: { path: CREATE }, fault: 'drop', times: 1 });
    expect(await desk.probe(4, ...armed)).toMatchObject({ order: { orderId: null, gone: false } });
    expect(await desk.active()).toEqual([]);
  });

  it('cancels again where the answer to a cancellation is lost, and says when it may still stand', async () => {
    const desk = await opened();
    const path = '/api/v2/exchange/client/order/{orderId}';
    await desk.faults({ match: { method: 'DELETE', path }, fault: 'drop', times: 1 });
    expect((await desk.probe(0, ...armed)).order).toMatchObject({ gone: true });
    await desk.faults({ match: { method: 'DELETE', path }, fault: 'falseCancel' });
    expect((await desk.probe(4, ...armed)).order).toMatchObject({ gone: false });
    expect(await desk.active()).toHaveLength(1);
    await desk.faults();
    const { stdout } = await desk.call([...armed]);
    expect(stdout).toContain('is gone');
  });
});
