import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentName } from '../../src/session/config/environment.ts';
import { configJsonSchema, loadConfig, type ConfigSources } from '../../src/session/config/load.ts';
import { maskedConfig, shownConfig } from '../../src/session/config/show.ts';
import { isTidewireError, type TidewireError } from '../../src/model/errors.ts';

function written(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'tidewire-config-')), 'config.yaml');
  writeFileSync(file, text);
  return file;
}

function refused(sources: ConfigSources): TidewireError {
  try {
    loadConfig(sources);
  } catch (thrown) {
    if (isTidewireError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('the configuration was accepted');
}

describe('the configuration', () => {
  it('is complete without a file', () => {
    const { config } = loadConfig({ file: null, environment: {} });
    expect(config.exchange.baseUrl).toBe('sandbox');
    expect(config.simulation.latency).toMatchObject({ entryMs: 25, responseMs: 25 });
    expect(config.risk.priceCollar).toBe(0.05);
    expect(config.account).toEqual({ reporting: 'USDT', start: {}, accounts: {} });
  });

  it.each(['config/default.yaml', 'config/sandbox.yaml', 'config/p2p.yaml'])('reads the shipped %s', (file) => {
    expect(loadConfig({ file, environment: {} }).config.account.reporting).toBe('USDT');
  });

  it('lets a flag win over the environment, that over the file, that over the default', () => {
    const file = written(
      'exchange:\n  budget: { requestsPerSecond: 5 }\n  clientOrderIds: false\naccount: { reporting: RUB }\n',
    );
    const environment = { TIDEWIRE_EXCHANGE_CLIENT_ORDER_IDS: 'true', TIDEWIRE_ACCOUNT_REPORTING: 'EUR' };
    const loaded = loadConfig({ file, environment, flags: { 'account.reporting': 'USDT' } });
    expect(loaded.config.account.reporting).toBe('USDT');
    expect(loaded.config.exchange.clientOrderIds).toBe(true);
    expect(loaded.config.exchange.budget).toEqual({ requestsPerSecond: 5, ordersPerSecond: 10 });
    const layers = Object.fromEntries(shownConfig(loaded).map(({ path, layer }) => [path, layer]));
    expect(layers).toMatchObject({
      'account.reporting': 'flag',
      'exchange.clientOrderIds': 'environment',
      'exchange.budget.requestsPerSecond': 'file',
      'exchange.budget.ordersPerSecond': 'default',
    });
  });

  it('names path, nearest key and line of an unknown key', () => {
    const file = written('exchange:\n  baseUrl: sandbox\n  clientOrderId: true\n');
    const error = refused({ file, environment: {} });
    expect(error.code).toBe('config_invalid');
    expect(error.exit).toBe(2);
    expect(error.message).toContain(`${file}:3: unknown key exchange.clientOrderId; did you mean clientOrderIds?`);
  });

  it('refuses overrides of rows that do not exist or are documented, with the nearest name', () => {
    const text =
      'exchange:\n  overrides:\n    endpoints:\n      ordrHistory: { path: /x }\n      ticker: { path: /y }\n';
    const file = written(`${text}      orderHistory: { path: /z }\n    channels:\n      zzz: x\n`);
    const { message } = refused({ file, environment: {} });
    expect(message.split('\n  ')).toEqual([
      `${file}:4: exchange.overrides.endpoints.ordrHistory is {"path":"/x"}: no endpoint has this name; did you mean orderHistory?`,
      expect.stringMatching(/:5: .*GET \S+\/ticker is documented and cannot be overridden$/),
      `${file}:8: exchange.overrides.channels.zzz is "x": no channel has this name; known names: volumeRatio`,
    ]);
  });

  it('names path, value, what was expected and line of a bad value', () => {
    const file = written('exchange:\n  budget:\n    requestsPerSecond: fast\n');
    const error = refused({ file, environment: {} });
    expect(error.message).toContain(`${file}:3: exchange.budget.requestsPerSecond is "fast": expected number`);
  });

  it('names the line of the key, also where its value stands below', () => {
    const file = written('# one\nexchnage:\n\n  baseUrl: sandbox\n');
    expect(refused({ file, environment: {} }).message).toContain(`${file}:2: unknown key exchnage`);
  });

  it('says of a value that may have several forms what the nearest expects', () => {
    const word = written('simulation: { queue: probb }\n');
    expect(refused({ file: word, environment: {} }).message).toContain(
      'simulation.queue is "probb": expected one of "prob"|"risk-averse"|"last"',
    );
    const form = written('simulation:\n  queue:\n    model: prob\n    f: cubic\n');
    expect(refused({ file: form, environment: {} }).message).toContain(`${form}:4: simulation.queue.f is "cubic"`);
  });

  it.each(['baseUrl: host', 'gatewayUrl: ftp://host', 'wsUrl: host:80'])('refuses the address %s', (line) => {
    const file = written(`exchange:\n  ${line}\n`);
    expect(refused({ file, environment: {} }).message).toContain(`${file}:2: exchange.`);
  });

  it('names the line of broken YAML', () => {
    const error = refused({ file: written('exchange:\n  baseUrl: [sandbox\n'), environment: {} });
    expect(error.code).toBe('config_syntax');
    expect(error.message).toMatch(/config\.yaml:\d+:\d+: /);
  });

  it('proposes quotes for a variable inside braces', () => {
    const file = written('account:\n  start: { USDT: ${FOO} }\n');
    expect(refused({ file, environment: {} }).message).toContain('is quoted: "${NAME}"');
  });

  it('says that a file is missing', () => {
    expect(refused({ file: '/nowhere/config.yaml', environment: {} }).code).toBe('config_not_found');
  });

  it('reads ${NAME} from the environment, masks it when shown, and names a variable that is not set', () => {
    const file = written('exchange:\n  gatewayUrl: https://${GATEWAY_HOST}/\n');
    const loaded = loadConfig({ file, environment: { GATEWAY_HOST: 'gate.example' } });
    expect(loaded.config.exchange.gatewayUrl).toBe('https://gate.example/');
    expect(JSON.stringify(maskedConfig(loaded))).not.toContain('gate.example');
    const error = refused({ file, environment: {} });
    expect(error.code).toBe('config_variable');
    expect(error.message).toContain(`${file}:2: exchange.gatewayUrl reads \${GATEWAY_HOST}`);
  });

  it('refuses a variable that is meant for a key and names none, with the nearest', () => {
    const error = refused({ file: null, environment: { TIDEWIRE_RISK_MAX_OPEN_ORDER: '3', TIDEWIRE_API_KEY: 'k' } });
    expect(error.code).toBe('config_invalid');
    expect(error.message).toContain('TIDEWIRE_RISK_MAX_OPEN_ORDER; did you mean TIDEWIRE_RISK_MAX_OPEN_ORDERS?');
    const file = written('exchange:\n  gatewayUrl: https://${TIDEWIRE_EXCHANGE_HOST}/\n');
    const read = loadConfig({ file, environment: { TIDEWIRE_EXCHANGE_HOST: 'gate.example' } });
    expect(read.config.exchange.gatewayUrl).toBe('https://gate.example/');
    const broken = { file: null, environment: { TIDEWIRE_RISK_MAX_OPEN_ORDER: '3' }, only: ['exchange'] } as const;
    expect(loadConfig(broken).config.exchange.baseUrl).toBe('sandbox');
  });

  it('refuses what this version does not have instead of ignoring it', () => {
    expect(refused({ file: written('dashboard: { port: 80800 }\n'), environment: {} }).message).toContain(
      'dashboard.port',
    );
    expect(refused({ file: written('alerts: [{ kind: mail }]\n'), environment: {} }).message).toContain('alerts');
  });

  it('is described by a JSON Schema with every top-level key', () => {
    const { properties } = configJsonSchema() as { properties: Record<string, unknown> };
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining([
        'exchange',
        'account',
        'strategies',
        'risk',
        'simulation',
        'recording',
        'journal',
        'alerts',
        'dashboard',
      ]),
    );
  });

  it('spells environment names from paths', () => {
    expect(environmentName(['exchange', 'baseUrl'])).toBe('TIDEWIRE_EXCHANGE_BASE_URL');
  });
});
