/**
 * Found with an exchange that refused the closing order: `panic --flatten` ended with 0 whatever became of the positions, passed
 * over what it could not close without a word, and blamed the cancel that had succeeded when the disk refused.
 */
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { panicOrders, writePanicLine } from '../../src/session/emergency/panic-ledger.ts';
import { createSession } from '../../src/session/store/store.ts';
import { callCli } from '../cli/call-cli.ts';
import { CREATE, limit, market } from '../e2e/scenario.ts';
import { Stack, SYMBOL, tempDir, until, World } from '../e2e/live-stack.ts';

interface PanicDocument {
  readonly canceled: number;
  readonly openAfter: number | null;
  readonly flattened: readonly { readonly symbol: string; readonly quantity: string; readonly outcome: string }[];
  readonly problems: readonly string[];
}

interface Setting {
  readonly world: World;
  /** The folder of the sessions. */
  readonly root: string;
  readonly panic: () => Promise<{ readonly code: number; readonly document: PanicDocument }>;
}

/** A session that ended holding 0.049975 BTC (0.05 less the fee), and one resting order of the account. */
async function holding(run: (setting: Setting) => Promise<void>): Promise<void> {
  const world = await World.open();
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    const root = join(dir, 'data', 'sessions');
    const { restUrl, gatewayUrl, wsUrl, users } = world.sandbox;
    const named = { mode: 'live' as const, strategies: [], seed: 1, account: 'alice', suffix: 'a' };
    const folder = createSession(root, { ...named, exchange: restUrl, now: Date.now() });
    const stack = await Stack.start(world, { dir: folder.path });
    await stack.whenReady();
    stack.act('taker', market('buy', '0.05'));
    await until(() => stack.executor.account('taker').position(SYMBOL).quantity === '0.049975', 'the position');
    await stack.whenReady();
    stack.act('maker', limit('buy', '59000'));
    await until(() => stack.states().includes('maker-1 open'), 'the resting order');
    await stack.stop();
    const addresses = `  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n`;
    writeFileSync(join(dir, 'c.yaml'), `exchange:\n${addresses}reconcile:\n  historyLagMs: 200\n`);
    const { publicKey, secretKey } = users.find(({ login }) => login === 'alice')!.apiKey;
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
    const panic: Setting['panic'] = async () => {
      const { code, stdout } = await callCli(['panic', '--flatten', '--json', '--config', 'c.yaml'], dir, { env });
      const document = JSON.parse(stdout) as PanicDocument;
      expect(document, stdout).toMatchObject({ openAfter: 0 });
      return { code, document };
    };
    await run({ world, root, panic });
  } finally {
    await world.close();
  }
}

const INSTRUMENTS = '/api/v2/exchange/public/asset/instrument/spot/list';
const SOLD = { symbol: SYMBOL, quantity: 'sell 0.04997' };

it('ends with 0 when everything was closed, and names what is too little for an order', () =>
  holding(async ({ panic }) => {
    const { code, document } = await panic();
    expect(document).toMatchObject({ canceled: 1, flattened: [{ ...SOLD, outcome: 'accepted' }], problems: [] });
    expect(code).toBe(0);
    const again = await panic();
    expect(again.document).toMatchObject({
      flattened: [],
      problems: ['BTCUSDT: 0.000005 is too little for an order, and stays'],
    });
    expect(again.code).toBe(0);
  }));

it('ends with 4 when nobody knows whether the position was closed', () =>
  holding(async ({ world, panic }) => {
    await world.faults({ match: CREATE, fault: 'status', status: 503 });
    const { code, document } = await panic();
    expect(document.flattened).toEqual([{ ...SOLD, outcome: 'unknown' }]);
    expect(document.problems).toEqual([expect.stringMatching(/sell 0\.04997 BTCUSDT: unknown/)]);
    expect(code).toBe(4);
  }));

it('ends with 1 when the exchange refused to close it', () =>
  holding(async ({ world, panic }) => {
    Object.assign(world.sandbox.sandbox.exchange.markets.get(SYMBOL)!, { halted: true });
    const { code, document } = await panic();
    expect(document.flattened).toEqual([{ ...SOLD, outcome: 'refused' }]);
    expect(code).toBe(1);
  }));

it('ends with 1 when the market took only a part of it', () =>
  holding(async ({ world, panic }) => {
    const { exchange } = world.sandbox.sandbox;
    const { trader } = exchange.identity.userByLogin('bob')!;
    world.sandbox.sandbox.operate((now) =>
      exchange.orders.cancelMany(trader, null, { markets: new Set(['spot']) }, now),
    );
    world.trade('bob', 'buy', '59990', '0.02');
    const { code, document } = await panic();
    expect(document.flattened).toEqual([{ ...SOLD, outcome: 'accepted' }]);
    expect(document.problems).toEqual(['sell 0.04997 BTCUSDT: only 0.02 of it went through']);
    expect(code).toBe(1);
  }));

it('ends with 4 when the account of the key cannot be read', () =>
  holding(async ({ world, panic }) => {
    await world.faults({ match: { path: '/api/v1/auth/me' }, fault: 'status', status: 503 });
    const { code, document } = await panic();
    expect(document.flattened).toEqual([]);
    expect(document.problems).toEqual([expect.stringContaining('nothing was flattened')]);
    expect(code).toBe(4);
  }));

it('names a position whose instrument the exchange does not list, with 4', () =>
  holding(async ({ world, panic }) => {
    await world.faults({ match: { path: INSTRUMENTS }, fault: 'status', status: 503 });
    const { code, document } = await panic();
    expect(document.problems).toContainEqual(expect.stringMatching(/BTCUSDT: 0\.049975 .*not closed/));
    expect(code).toBe(4);
  }));

it('closes what it can read beside a session that it cannot read, with 4', () =>
  holding(async ({ root, panic }) => {
    mkdirSync(join(root, 'broken'));
    writeFileSync(join(root, 'broken', 'session.json'), '{');
    const { code, document } = await panic();
    expect(document.flattened).toEqual([{ ...SOLD, outcome: 'accepted' }]);
    expect(document.problems).toEqual([expect.stringContaining('broken')]);
    expect(code).toBe(4);
  }));

it('closes everything on a disk that takes no line about it, and does not call that done', () =>
  holding(async ({ root, panic }) => {
    // Cannot be written by root either.
    symlinkSync(join(root, 'nowhere', 'panic.jsonl'), join(root, 'panic.jsonl'));
    const { code, document } = await panic();
    expect(document.flattened).toEqual([{ ...SOLD, outcome: 'accepted' }]);
    expect(document.problems).toEqual([expect.stringMatching(/panic\.jsonl cannot be written.*\(2 times\)/)]);
    expect(code).toBe(4);
  }));

it('says that nothing was flattened when the list of earlier panics cannot be read, beside the proof of the cancels', () =>
  holding(async ({ root, panic }) => {
    mkdirSync(join(root, 'panic.jsonl'));
    const { code, document } = await panic();
    expect(document).toMatchObject({ canceled: 1, flattened: [] });
    expect(document.problems).toContainEqual(expect.stringContaining('nothing was flattened'));
    expect(code).toBe(4);
  }));

it('keeps its list readable behind a line that was cut short', () => {
  const { dir, remove } = tempDir();
  try {
    const owner = { account: 'alice', exchange: 'http://127.0.0.1:1' };
    appendFileSync(join(dir, 'panic.jsonl'), '{"kind":"sending","id":"panic_a-1","acc');
    writePanicLine(dir, { kind: 'sending', id: 'panic_b-1', ...owner, symbol: SYMBOL, quantity: '-1' });
    expect(panicOrders(dir, owner)).toMatchObject([{ id: 'panic_b-1' }]);
    writePanicLine(dir, { kind: 'done', id: 'panic_b-1', quantity: '-1' });
    expect(readFileSync(join(dir, 'panic.jsonl'), 'utf8').split('\n')).toHaveLength(4);
  } finally {
    remove();
  }
});
