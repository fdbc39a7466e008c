/**
 * Alerts against a real HTTP server, a real program and a real file: pages with an action, once; the rest gathered; retries
 * that nothing waits for; no secret in any of it (reliability §2.7 rows 7 and 27, H05).
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlarmCode, ExecutorEvent } from '../../../src/spine/events.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { alertOptions, sinksOf } from '../../../src/session/alerts/options.ts';
import { AlertService } from '../../../src/session/alerts/service.ts';
import { loadConfig } from '../../../src/session/config/load.ts';
import { shownConfig } from '../../../src/session/config/show.ts';
import { until } from '../../e2e/live-stack.ts';
import { HandClock, makeRig } from '../../execution/rig.ts';

interface Got {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

let server: Server;
let status: number;
/** The answer begins and does not end. */
let isEndless: boolean;
let got: Got[];
let dir: string;
const clock = (): HandClock => new HandClock();

beforeEach(async () => {
  status = 200;
  isEndless = false;
  got = [];
  dir = mkdtempSync(join(tmpdir(), 'tidewire-alerts-'));
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(parts).toString('utf8')) as Got['body'] });
      response.writeHead(status, { location: '/elsewhere' });
      if (isEndless) response.write('o');
      else response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(dir, { recursive: true, force: true });
});

function base(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function deskOf(sinks: readonly object[], hands: HandClock): AlertService {
  const deps = { session: 'live-maker-1', mode: 'live', clock: hands, logger: silentLogger };
  return new AlertService({ sinks: sinksOf(alertOptions.parse(sinks)), ...deps });
}

function alarm(code: AlarmCode, message: string): ExecutorEvent {
  return { kind: 'alarm', ts: 0, code, message };
}

const codes = (): unknown[] => got.map(({ body }) => body['code']);

describe('a webhook', () => {
  it('gets a page at once, with what to do, and the same page not again', async () => {
    const desk = deskOf([{ kind: 'webhook', url: `${base()}/hook` }], clock());
    for (let lots = 1; lots <= 500; lots++) desk.event(alarm('overfill', `maker-1: more was filled (${lots} of 1)`));
    await until(() => got.length === 1, 'the page');
    expect(got[0]).toMatchObject({
      path: '/hook',
      body: {
        topic: 'page',
        code: 'overfill',
        session: 'live-maker-1',
        mode: 'live',
        action: expect.stringContaining('limits resume'),
      },
    });
    await desk.close();
    expect(got).toHaveLength(1);
  });

  it('is told again after half an hour how often it came', async () => {
    const hands = clock();
    const desk = deskOf([{ kind: 'webhook', url: base() }], hands);
    for (let count = 0; count < 3; count++) desk.event(alarm('balance_residual', 'the balance of USDT differs by 5'));
    await until(() => got.length === 1, 'the page');
    hands.advance(1_800_000);
    desk.event(alarm('balance_residual', 'the balance of USDT differs by 7'));
    await until(() => got.length === 2, 'the second page');
    expect(got[1]?.body['text']).toContain('(2 times more since the last page)');
    await desk.close();
  });

  it('gets at most two pages for an outage of an hour that flaps, each with an action, and the rest in digests', async () => {
    const hands = clock();
    const desk = deskOf([{ kind: 'webhook', url: base() }], hands);
    const gate = (state: 'open' | 'closed'): ExecutorEvent => ({
      kind: 'gate',
      ts: 0,
      entry: {
        kind: 'gate',
        gate: 'reconcile',
        symbol: '',
        state,
        reason: state === 'open' ? null : 'stream_down',
        message: 'the private stream is down',
      },
    });
    for (let minute = 0; minute < 60; minute++) {
      desk.event(gate('closed'));
      for (let count = 0; count < 20; count++) desk.event(alarm('stray_overflow', 'too many events'));
      hands.advance(60_000);
      await new Promise(setImmediate);
    }
    desk.event(gate('open'));
    await desk.close();
    const pages = got.filter(({ body }) => body['topic'] === 'page');
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.length).toBeLessThanOrEqual(2);
    for (const { body } of pages) expect(body['action']).toMatch(/\w/);
    expect(got.length - pages.length).toBeLessThanOrEqual(6);
    const digest = got.find(({ body }) => body['topic'] === 'digest');
    expect(digest?.body['text']).toMatch(/\d+ × stray_overflow/);
  });

  it('that fails is tried again, in order, without anybody waiting, and never followed elsewhere', async () => {
    const hands = clock();
    const desk = deskOf([{ kind: 'webhook', url: `${base()}/hook` }], hands);
    status = 503;
    desk.page('one', 'first', 'act');
    desk.page('two', 'second', 'act');
    await until(() => got.length === 1, 'the first try');
    status = 307;
    await until(() => {
      hands.advance(1_000);
      return got.length === 2;
    }, 'the second try');
    status = 200;
    await until(() => {
      hands.advance(1_000);
      return got.length === 4;
    }, 'both');
    expect(codes()).toEqual(['one', 'one', 'one', 'two']);
    expect(got.every(({ path }) => path === '/hook')).toBe(true);
    await desk.close();
  });

  it('that says 200 and never ends its answer has got the message, and holds up no other', async () => {
    isEndless = true;
    const desk = deskOf([{ kind: 'webhook', url: base() }], clock());
    desk.page('one', 'first', 'act');
    desk.page('two', 'second', 'act');
    desk.page('three', 'third', 'act');
    await until(() => got.length === 3, 'the third page');
    await desk.close();
    expect(codes()).toEqual(['one', 'two', 'three']);
  });

  it('that never answers holds up no order and is bounded', async () => {
    const hands = clock();
    server.removeAllListeners('request');
    const desk = deskOf([{ kind: 'webhook', url: base(), on: ['page', 'fill'] }], hands);
    const rig = makeRig({ clock: hands });
    desk.watch(rig.executor);
    for (let count = 0; count < 1_000; count++) desk.page(`c${'x'.repeat(count)}`, 'text', 'act');
    rig.executor.submit('maker', {
      kind: 'place',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: '59990',
      quantity: '0.01',
    });
    expect(rig.venue.resting()).toHaveLength(1);
    const closing = desk.close();
    hands.advance(3_000);
    await closing;
  });
});

describe('fills', () => {
  it('are told within a second, those of a moment together, where a sink asks for them', async () => {
    const hands = clock();
    const desk = deskOf([{ kind: 'webhook', url: base(), on: ['fill'] }], hands);
    const rig = makeRig({ clock: hands });
    desk.watch(rig.executor);
    for (const price of ['59990', '59980']) {
      rig.executor.submit('maker', {
        kind: 'place',
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        price,
        quantity: '0.01',
      });
      rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.01');
    }
    hands.advance(250);
    await until(() => got.length === 1, 'the fills');
    expect(got[0]?.body['text']).toBe(
      'maker: buy 0.01 BTCUSDT at 59990, fee 0 USDT (maker-1)\nmaker: buy 0.01 BTCUSDT at 59980, fee 0 USDT (maker-2)',
    );
    await desk.close();
  });
});

describe('the other sinks', () => {
  const TOKEN = '123456:canary-telegram-token';
  const KEY = 'ab'.repeat(32);

  it('get the message as Telegram, program and file want it, and no secret', async () => {
    process.env['TIDEWIRE_API_SECRET'] = KEY;
    const path = join(dir, 'alerts.jsonl');
    const output = join(dir, 'program.txt');
    const program = `process.stdin.on('data', (d) => require('fs').appendFileSync(${JSON.stringify(output)}, d + JSON.stringify(process.env)))`;
    const desk = deskOf(
      [
        { kind: 'telegram', token: TOKEN, chat: '42', baseUrl: base() },
        { kind: 'command', run: [process.execPath, '-e', program] },
        { kind: 'file', path },
      ],
      clock(),
    );
    desk.page('killed', `somebody wrote ${TOKEN} and ${KEY} here`, 'act');
    await until(() => got.length === 1, 'the message to Telegram');
    const closing = desk.close();
    await closing;
    expect(got[0]).toEqual({
      path: `/bot${TOKEN}/sendMessage`,
      body: { chat_id: '42', text: 'tidewire live live-maker-1\nkilled: somebody wrote *** and *** here\n→ act' },
    });
    const line = readFileSync(path, 'utf8');
    expect(JSON.parse(line)).toMatchObject({ code: 'killed', topic: 'page' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const told = readFileSync(output, 'utf8');
    expect(told).toContain('"code":"killed"');
    for (const text of [line, told]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(KEY);
    }
    delete process.env['TIDEWIRE_API_SECRET'];
  });

  it('are masked when the configuration is shown, and refused with a path when they are wrong', () => {
    const file = join(dir, 'c.yaml');
    writeFileSync(
      file,
      "alerts:\n  - { kind: telegram, token: '${BOT}', chat: '42' }\n  - { kind: webhook, url: '${HOOK}' }\n",
    );
    const env = { BOT: TOKEN, HOOK: 'https://hooks.example/secret-part' };
    const shown = JSON.stringify(shownConfig(loadConfig({ file, environment: env })));
    expect(shown).not.toContain(TOKEN);
    expect(shown).not.toContain('secret-part');
    writeFileSync(file, 'alerts:\n  - { kind: webhook, url: "ftp://x" }\n');
    expect(() => loadConfig({ file, environment: {} })).toThrow(/alerts/);
  });
});
