/** Who may bring a signal in: the signature over time, id and body; the secret path; times, bounds, floods. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SignalDoor, type SignalRequest } from '../../../src/bridge/signals/door.ts';
import { isTidewireError } from '../../../src/model/errors.ts';
import { loadConfig } from '../../../src/session/config/load.ts';
import { hiddenValues, shownConfig } from '../../../src/session/config/show.ts';
import { signalOptions } from '../../../src/session/config/bridge-options.ts';

const NOW = 1_767_225_600_000;
const SECRET = 'a secret of sixteen characters or more';
const PATH = 'tv-3f9c1d7a8b2e4c60';
const clock = { now: () => NOW };
const options = { trend: { secret: SECRET }, alerts: { secretPath: PATH } };

function signed(text: string, { id = '42', ts = String(NOW), secret = SECRET, name = 'trend' } = {}): SignalRequest {
  const signature = createHmac('sha256', secret).update(`${ts}\n${id}\n${text}`).digest('hex');
  const headers = { 'x-signal-id': id, 'x-signal-timestamp': ts, 'x-signal-signature': signature };
  return { name, secretPath: null, headers, text };
}

function codeOf(door: SignalDoor, request: SignalRequest): string {
  try {
    door.admit(request);
    return 'admitted';
  } catch (thrown) {
    if (isTidewireError(thrown)) return thrown.code;
    throw thrown;
  }
}

test('bridge/signals/a signed signal is what was signed, frozen', () => {
  const signal = new SignalDoor(options, clock).admit(signed('{"side": "long", "deep": [1]}', { ts: String(NOW - 7) }));
  expect(signal).toEqual({ name: 'trend', id: '42', ts: NOW - 7, data: { side: 'long', deep: [1] } });
  expect(Object.isFrozen(signal.data)).toBe(true);
  expect(new SignalDoor(options, clock).admit(signed('')).data).toBeNull();
});

test('bridge/signals/whatever is changed of what was signed, it is refused', () => {
  const header = fc.constantFrom('x-signal-id', 'x-signal-timestamp', 'x-signal-signature', 'body');
  fc.assert(
    fc.property(header, fc.string({ minLength: 1, maxLength: 70 }), (what, value) => {
      const request = signed('{"side":"long"}');
      const before = what === 'body' ? request.text : request.headers[what];
      fc.pre(value !== before && !(what === 'x-signal-signature' && value.toLowerCase() === before));
      const changed =
        what === 'body' ? { ...request, text: value } : { ...request, headers: { ...request.headers, [what]: value } };
      expect(codeOf(new SignalDoor(options, clock), changed)).toBe('signal_signature');
    }),
    { numRuns: 200 },
  );
});

test('bridge/signals/parts cannot be shifted into each other', () => {
  const door = new SignalDoor(options, clock);
  const { headers, text } = signed('x\n{}', { id: 'a' });
  const shifted = { ...headers, 'x-signal-id': 'a\nx' };
  expect(codeOf(door, { name: 'trend', secretPath: null, headers: shifted, text: text.slice(2) })).toBe(
    'signal_invalid',
  );
});

test.each([
  ['30 s ago', -30_000, 'admitted'],
  ['30 s ahead', 30_000, 'admitted'],
  ['older', -30_001, 'signal_time'],
  ['of the future', 30_001, 'signal_time'],
])('bridge/signals/one of %s is judged by its time', (_, byMs, code) => {
  expect(codeOf(new SignalDoor(options, clock), signed('{}', { ts: String(NOW + byMs) }))).toBe(code);
});

test.each([
  ['an unknown name', { ...signed('{}'), name: 'other' }, 'signal_unknown'],
  ['a name of every object', { ...signed('{}'), name: 'constructor' }, 'signal_unknown'],
  ['another secret', signed('{}', { secret: 'another secret of this length' }), 'signal_signature'],
  ['no signature', { ...signed('{}'), headers: {} }, 'signal_signature'],
  ['a time that is none', signed('{}', { ts: '12e10' }), 'signal_invalid'],
  ['seconds for milliseconds', signed('{}', { ts: String(NOW / 1000) }), 'signal_time'],
  ['no id', signed('{}', { id: '' }), 'signal_invalid'],
  ['a long id', signed('{}', { id: 'x'.repeat(65) }), 'signal_invalid'],
  ['a body that is no JSON', signed('side=long'), 'signal_invalid'],
  ['a path where it signs', { ...signed('{}'), secretPath: PATH }, 'signal_unknown'],
  ['a signature where it has a path', signed('{}', { name: 'alerts' }), 'signal_unknown'],
  ['a wrong path', { ...signed('{}'), name: 'alerts', secretPath: `${PATH}x` }, 'signal_unknown'],
])('bridge/signals/%s is refused', (_, request, code) => {
  expect(codeOf(new SignalDoor(options, clock), request)).toBe(code);
});

test('bridge/signals/a plain text comes by the secret path; an id in its body is its id', () => {
  const door = new SignalDoor(options, clock);
  const by = (text: string) => door.admit({ name: 'alerts', secretPath: PATH, headers: {}, text });
  const plain = by('BTCUSDT crossing up 60000');
  expect(plain).toMatchObject({ name: 'alerts', ts: NOW, data: { text: 'BTCUSDT crossing up 60000' } });
  expect(by('BTCUSDT crossing up 60000').id).not.toBe(plain.id);
  expect(by('{"id": "BTC-1", "side": "buy"}')).toMatchObject({ id: 'BTC-1', data: { side: 'buy' } });
  expect(by('{"id": 7}').id).toBe('7');
  expect(by('{"id": "two words"}').id).not.toBe('two words');
});

test('bridge/signals/a flood of one name is stopped, says how long, and leaves the others alone', () => {
  let now = NOW;
  const door = new SignalDoor(options, { now: () => now });
  const send = (): string => {
    now += 10;
    return codeOf(door, signed('{}', { ts: String(now), id: String(now) }));
  };
  const codes = Array.from({ length: 70 }, send);
  expect(codes.filter((code) => code === 'admitted')).toHaveLength(60);
  expect(codes.at(-1)).toBe('signal_too_many');
  expect(codeOf(door, { name: 'alerts', secretPath: PATH, headers: {}, text: '' })).toBe('admitted');
  // What is refused for its signature counts for nothing.
  for (let each = 0; each < 100; each++) codeOf(door, { ...signed('{}'), headers: {} });
  now += 59_400;
  expect(send()).toBe('admitted');
});

test('bridge/signals/secrets are long, and shown nowhere', () => {
  expect(signalOptions.safeParse({ a: { secret: 'short' } }).success).toBe(false);
  expect(signalOptions.safeParse({ a: { secretPath: 'a path/with a slash in it' } }).success).toBe(false);
  const environment = { TIDEWIRE_SIGNALS: JSON.stringify(options) };
  const loaded = loadConfig({ file: null, environment });
  expect(loaded.config.signals).toEqual(options);
  expect(JSON.stringify(shownConfig(loaded))).not.toMatch(new RegExp(`${SECRET}|${PATH}`));
  expect(hiddenValues(loaded)).toEqual(expect.arrayContaining([SECRET, PATH]));
  const flags = { 'metrics.otlp': { url: 'http://127.0.0.1:1/', headers: { key: 'key of the collector' } } };
  const pushed = loadConfig({ file: null, environment: {}, flags });
  expect(JSON.stringify(shownConfig(pushed))).not.toContain('key of the collector');
});

test('bridge/signals/what is nested too deep is refused, whoever brings it; brackets in a text are no nesting', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const door = new SignalDoor(options, clock);
  expect(codeOf(door, signed(deep))).toBe('signal_invalid');
  expect(codeOf(door, { name: 'alerts', secretPath: PATH, headers: {}, text: deep })).toBe('signal_invalid');
  expect(codeOf(door, signed(JSON.stringify({ text: '[{"'.repeat(100) })))).toBe('admitted');
});
