/** The dead man's handle against a real HTTP server: pings while healthy, silence otherwise, one at a time. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TidewireError } from '../../../src/model/errors.ts';
import { strategyErrors } from '../../../src/strategy/errors.ts';
import { silentLogger, type Gate, type Logger } from '../../../src/model/ports.ts';
import { alertOptions, pingsOf } from '../../../src/session/alerts/options.ts';
import { keepPinging } from '../../../src/session/alerts/ping.ts';
import { loadConfig } from '../../../src/session/config/load.ts';
import { hiddenValues, shownConfig } from '../../../src/session/config/show.ts';
import { unhealthyBecause } from '../../../src/session/view/health.ts';
import { until } from '../../e2e/live-stack.ts';
import { HandClock, makeRig, tempDir } from '../../execution/rig.ts';

let server: Server;
let pings: number;
let held: ServerResponse[] | null;
let status: number;

beforeEach(async () => {
  pings = 0;
  held = null;
  status = 200;
  server = createServer((_request, response) => {
    pings++;
    if (held === null) response.writeHead(status).end();
    else held.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function url(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-token`;
}

interface Kept {
  readonly clock: HandClock;
  readonly lines: string[];
  reason: string | null;
}

function keep(every = '10s'): Kept {
  const clock = new HandClock();
  const lines: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (fields, text) => void lines.push(`${text} ${JSON.stringify(fields)}`),
  };
  const kept: Kept = { clock, lines, reason: null };
  const options = pingsOf(alertOptions.parse([{ ping: { url: url(), every } }]));
  keepPinging(options, { clock, logger, unhealthy: () => kept.reason });
  return kept;
}

async function pinged(count: number): Promise<void> {
  await until(() => pings === count, `${count} pings`);
}

describe('a ping', () => {
  it('comes every so often while the session is healthy, and at once when it heals', async () => {
    const kept = keep();
    kept.reason = 'the account: not reconciled yet';
    kept.clock.advance(30_000);
    kept.reason = null;
    kept.clock.advance(1_000);
    await pinged(1);
    await until(() => {
      kept.clock.advance(1_000);
      return pings === 2;
    }, 'the second ping');
    kept.reason = 'the private stream is down';
    kept.clock.advance(120_000);
    kept.reason = null;
    kept.clock.advance(1_000);
    await pinged(3);
    expect(kept.lines).toEqual([
      'the outside watcher gets no ping: the account: not reconciled yet {"ping":"ping 1"}',
      'the outside watcher gets no ping: the private stream is down {"ping":"ping 1"}',
    ]);
  });

  it('is one at a time: a watcher that does not answer is not asked again meanwhile', async () => {
    held = [];
    const kept = keep('5s');
    kept.clock.advance(1_000);
    await pinged(1);
    kept.clock.advance(60_000);
    expect(held).toHaveLength(1);
    held.pop()?.writeHead(200).end();
    await until(() => {
      kept.clock.advance(1_000);
      return pings === 2;
    }, 'the second ping');
  });

  it('that fails is told once, without its address, and not tried again before its time', async () => {
    status = 500;
    const kept = keep();
    kept.clock.advance(1_000);
    await until(() => kept.lines.length === 1, 'a line of the log');
    kept.clock.advance(8_000);
    expect(pings).toBe(1);
    await until(() => {
      kept.clock.advance(1_000);
      return pings === 3;
    }, 'the third ping');
    expect(kept.lines).toEqual(['the outside watcher was not reached: status 500 {"ping":"ping 1"}']);
  });
});

describe('the options of a ping', () => {
  it('have a least time, stand beside sinks, and are secret in what is shown', () => {
    const { dir, remove } = tempDir();
    const environment = { PING: 'http://h.example/secret-token' };
    const file = join(dir, 'c.yaml');
    const yaml = (every: string): string =>
      `alerts:\n  - { kind: file, path: x }\n  - { ping: { url: "\${PING}", every: ${every} } }\n`;
    writeFileSync(file, yaml('1m'));
    const loaded = loadConfig({ file, environment, flags: {} });
    expect(JSON.stringify(shownConfig(loaded))).not.toContain('secret-token');
    expect(hiddenValues(loaded)).toContain(environment.PING);
    writeFileSync(file, yaml('1s'));
    expect(() => loadConfig({ file, environment, flags: {} })).toThrow(
      /alerts\.1\.ping\.every.*expected a duration from "5s" to "1d"/s,
    );
    remove();
  });
});

describe('a session', () => {
  const open: Gate = { name: 'open', closedBecause: () => null };
  const shut = (symbol: string): Gate => ({
    name: 'shut',
    closedBecause: (asked) => (asked === symbol ? { reason: 'stale_data', message: 'silent for 9 s' } : null),
  });
  const health = (
    reconciler: Gate,
    stream: Gate,
    executor = makeRig().executor,
    failures: ReadonlyMap<string, TidewireError> = new Map(),
  ) =>
    unhealthyBecause({
      engine: { executor, failures },
      reconciler: { gate: reconciler },
      stream: { gate: stream },
      symbols: ['A', 'B'],
    });

  it('is healthy with open gates, no kill and a journal', () => {
    expect(health(open, open)).toBe(null);
    expect(health(shut(''), open)).toBe('the account: silent for 9 s');
    expect(health(open, shut('B'))).toBe('B: silent for 9 s');
    expect(health(open, shut('C'))).toBe(null);
    const rig = makeRig();
    rig.executor.kill('enough');
    expect(health(open, open, rig.executor)).toContain('the kill switch is on: enough');
    const failures = new Map([
      ['maker', new TidewireError('strategy_threw', strategyErrors.rows.strategy_threw, 'maker: no')],
    ]);
    expect(health(open, open, makeRig().executor, failures)).toBe('a strategy has stopped: maker: no');
  });
});
