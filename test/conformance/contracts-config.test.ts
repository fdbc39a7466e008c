/** config.md and the options of each room from outside: what is accepted, what is refused and how, which layer wins. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { World } from './contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The file that config.md shows. */
const WHOLE = `exchange:
  baseUrl: sandbox
  gatewayUrl: sandbox
  wsUrl: sandbox
  clientOrderIds: true
  overrides: {}
  budget: { requestsPerSecond: 20, ordersPerSecond: 10 }
account: { reporting: USDT, start: {} }
strategies:
  - { file: strategies/spread-maker.ts, tag: maker, params: {}, limits: {}, onStop: cancel }
risk: {}
simulation: { latency: { entryMs: 25, responseMs: 25 }, queue: prob, exchange: partial-fill, fees: { maker: 0.0002, taker: 0.0005 } }
recording: { dir: data/recordings, compress: true, private: true }
journal: { dir: data/sessions, durability: full }
alerts: []
dashboard: { port: 0, token: auto }
`;

interface ConfigError {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

async function refusal(text: string): Promise<string> {
  const file = world.write('bad.yaml', text);
  const { exit, err, out } = await world.command('config', 'check', file);
  expect([exit, (JSON.parse(out) as ConfigError).error.code]).toEqual([2, 'config_invalid']);
  return err;
}

function tidewire(env: Record<string, string>, ...argv: string[]): { out: string; err: string; exit: number | null } {
  const done = spawnSync(process.execPath, [join(ROOT, 'bin/tidewire.js'), ...argv], {
    cwd: world.dir,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { out: done.stdout, err: done.stderr, exit: done.status };
}

describe('the file', () => {
  it('as config.md shows it is accepted, every key of it', async () => {
    const file = world.write('whole.yaml', WHOLE);
    expect((await world.command('config', 'check', file)).exit).toBe(0);
    const shown = JSON.parse((await world.command('config', 'show', '--config', file)).out) as Record<string, unknown>;
    for (const line of WHOLE.split('\n')) {
      const key = /^(\w+):/.exec(line)?.[1];
      if (key !== undefined) expect(Object.keys(shown)).toContain(key);
    }
    expect(shown).toMatchObject({
      exchange: { budget: { requestsPerSecond: 20, ordersPerSecond: 10 }, clientOrderIds: true },
      account: { reporting: 'USDT' },
      simulation: {
        latency: { entryMs: 25, responseMs: 25 },
        exchange: 'partial-fill',
        fees: { maker: '0.0002', taker: '0.0005' },
      },
      journal: { durability: 'full' },
      dashboard: { port: 0, token: 'auto' },
    });
  });

  it.each([
    ['exchange: { baseUrll: x }', 'exchange.baseUrll', 'baseUrl'],
    ['exchange: { budget: { requestPerSecond: 1 } }', 'exchange.budget.requestPerSecond', 'requestsPerSecond'],
    ['acount: {}', 'acount', 'account'],
    ['account: { reportng: USDT }', 'account.reportng', 'reporting'],
    ['strategies: [{ file: a.ts, parms: {} }]', 'strategies.0.parms', 'params'],
    ['strategies: [{ file: a.ts, limits: { maxPositon: 1 } }]', 'strategies.0.limits.maxPositon', 'maxPosition'],
    ['risk: { symbols: { BTCUSDT: { maxPositon: 1 } } }', 'risk.symbols.BTCUSDT.maxPositon', 'maxPosition'],
    ['risk: { priceColar: 0.1 }', 'risk.priceColar', 'priceCollar'],
    ['simulation: { latency: { entryMS: 1 } }', 'simulation.latency.entryMS', 'entryMs'],
    ['simulation: { fees: { make: 1 } }', 'simulation.fees.make', 'maker'],
    ['recording: { directory: x }', 'recording.directory', 'dir'],
    ['journal: { durabilty: full }', 'journal.durabilty', 'durability'],
    ['dashboard: { prt: 0 }', 'dashboard.prt', 'port'],
  ])('%s: the unknown key is named with its path, the nearest key and the line', async (yaml, path, near) => {
    const said = await refusal(`# a comment\n${yaml}\n`);
    expect(said).toContain(path);
    expect(said).toMatch(new RegExp(`\\b${near}\\b`));
    expect(said).toContain('bad.yaml:2');
  });

  it.each([
    ['simulation: { queue: fifo }', 'simulation.queue', 'fifo'],
    ['simulation: { latency: { entryMs: -1 } }', 'simulation.latency.entryMs', '-1'],
    ['journal: { durability: some }', 'journal.durability', 'some'],
    ['account: { start: { USDT: lots } }', 'account.start.USDT', 'lots'],
    ['strategies: [{ file: a.ts, onStop: sell }]', 'strategies.0.onStop', 'sell'],
    ['exchange: { clientOrderIds: 3 }', 'exchange.clientOrderIds', '3'],
  ])('%s: the bad value is named with its path, the value and the line', async (yaml, path, value) => {
    const said = await refusal(`${yaml}\n`);
    expect(said).toContain(path);
    expect(said).toContain(value);
    expect(said).toContain('bad.yaml:1');
  });

  it('each limit of risk and of a strategy, and each simulation model of this version, is accepted', async () => {
    const limits = 'maxOrderQuantity: "1", maxOrderValue: 5, maxPosition: "2", maxPositionValue: 9, maxOpenOrders: 3';
    const file = world.write(
      'limits.yaml',
      `risk: { ${limits}, priceCollar: 0.1, messagesPerSecond: 5, dailyLossFraction: 0.1, symbols: { BTCUSDT: { ${limits} } } }
strategies: [{ file: ${join(ROOT, 'strategies/spread-maker.ts')}, limits: { ${limits}, budget: "10", maxDailyLoss: 3, messagesPerSecond: 2 } }]
simulation: { queue: { model: prob, f: log, p: total }, exchange: no-partial-fill, latency: { model: lognormal } }
`,
    );
    expect(await world.command('config', 'check', file)).toMatchObject({ exit: 0 });
  });
});

describe('layers', () => {
  it('environment wins over file, file over default; config show names the layer of each value', () => {
    const file = world.write('layers.yaml', 'risk: { priceCollar: 0.02, messagesPerSecond: 7 }\n');
    const shown = tidewire({ TIDEWIRE_RISK_PRICE_COLLAR: '0.03' }, 'config', 'show', '--config', file, '--json');
    const json = JSON.parse(shown.out) as { risk: Record<string, unknown>; layers: Record<string, string> };
    expect(json.risk).toMatchObject({ priceCollar: 0.03, messagesPerSecond: 7, dailyLossFraction: 0.2 });
    expect([
      json.layers['risk.priceCollar'],
      json.layers['risk.messagesPerSecond'],
      json.layers['risk.dailyLossFraction'],
    ]).toEqual(['environment', 'file', 'default']);
  });

  it('${NAME} reads the environment and is masked when shown', () => {
    const file = world.write('secret.yaml', 'exchange: { baseUrl: "http://${HOST_PART}:1" }\n');
    const shown = tidewire({ HOST_PART: 'very-secret-host' }, 'config', 'show', '--config', file);
    expect(shown.exit).toBe(0);
    expect(shown.out).not.toContain('very-secret-host');
    const missing = tidewire({}, 'config', 'check', file);
    expect([missing.exit, missing.err.includes('HOST_PART')]).toEqual([2, true]);
  });

  it('config/default.yaml of the working folder is the file without --config', async () => {
    world.write('config/default.yaml', 'risk: { messagesPerSecond: 9 }\n');
    const shown = JSON.parse((await world.command('config', 'show')).out) as { risk: Record<string, unknown> };
    expect(shown.risk['messagesPerSecond']).toBe(9);
  });
});

describe('the rest', () => {
  it('config schema is a JSON Schema that knows every top-level key and forbids others', async () => {
    const schema = JSON.parse((await world.command('config', 'schema')).out) as Record<string, unknown>;
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    const keys = Object.keys(schema['properties'] as object);
    for (const key of 'exchange account strategies risk simulation recording journal alerts dashboard'.split(' ')) {
      expect(keys).toContain(key);
    }
  });

  it('the configurations that the project brings are valid', () => {
    for (const name of ['default', 'sandbox']) {
      const path = join(ROOT, `config/${name}.yaml`);
      expect(readFileSync(path, 'utf8')).toContain('exchange:');
      expect(tidewire({}, 'config', 'check', path).exit).toBe(0);
    }
  });

  it('an unknown command or option is exit 2 and names the nearest', () => {
    const unknown = tidewire({}, 'bcktest');
    expect(unknown.exit).toBe(2);
    expect(unknown.err).toContain('backtest');
    const option = tidewire({}, 'backtest', 'x.ts', '--data', 'y', '--sed', '1');
    expect(option.exit).toBe(2);
    expect(option.err).toContain('--seed');
  });

  it('live is refused (3) without both flags, and off loopback the keys of a sandbox are not enough', () => {
    const strategy = world.write('nothing.ts', world.read('scripted.ts'));
    for (const flags of [[], ['--live'], ['--confirm', 'alice']]) {
      expect([flags, tidewire({}, 'run', strategy, ...flags).exit]).toEqual([flags, 3]);
    }
  });
});
