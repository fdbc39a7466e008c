/** A config error about a list or section printed the secret inside it: only errors at the secret's own path were masked. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hiddenValues } from '../../src/session/config/show.ts';
import { loadConfig } from '../../src/session/config/load.ts';
import { callCli } from '../cli/call-cli.ts';

const SECRET = 'bot-123456-verysecret';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tidewire-secret-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function written(text: string): string {
  const file = join(dir, 'config.yaml');
  writeFileSync(file, text);
  return file;
}

describe('config/error/secret-below-the-path', () => {
  it.each([
    ['an object in place of a list', 'alerts: { kind: telegram, token: "${X}", chat: a }\n'],
    ['an object in place of an address', 'alerts: [{ kind: webhook, url: { a: "${X}" } }]\n'],
    ['a list in place of an address', 'alerts: [{ kind: webhook, url: ["https://a/${X}"] }]\n'],
    ['an item of another type', 'alerts: [["${X}"]]\n'],
    ['a list in place of a section', 'risk: ["${X}"]\n'],
    ['the file itself', '["${X}"]\n'],
  ])('is masked: %s', async (_, text) => {
    const file = written(text);
    const calls = [
      ['config', 'show', '--config', file],
      ['config', 'check', file],
      ['paper', '--config', file],
    ];
    for (const call of calls.flatMap((words) => [words, [...words, '--json']])) {
      const { code, stdout, stderr } = await callCli(call, dir, { env: { X: SECRET } });
      expect(`${stdout}${stderr}`).not.toContain(SECRET);
      expect([code, `${stdout}${stderr}`]).toEqual([2, expect.stringContaining('***')]);
    }
    const bundle = join(dir, 'bundle');
    await callCli(['support-bundle', '--config', file, '--out', bundle], dir, { env: { X: SECRET } });
    const config = readFileSync(join(bundle, 'config.json'), 'utf8');
    expect(config).toContain('config_invalid');
    expect(config).not.toContain(SECRET);
  });

  it('is masked where TIDEWIRE_ALERTS holds it, in errors and when shown', async () => {
    const url = `https://hooks.example/${SECRET}`;
    const wrong = { TIDEWIRE_ALERTS: JSON.stringify({ kind: 'webhook', url }) };
    const refused = await callCli(['config', 'show'], dir, { env: wrong });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('alerts is "***"')]);
    const below = { TIDEWIRE_ALERTS: JSON.stringify([{ kind: 'webhook', url: [url] }]) };
    const { stderr } = await callCli(['config', 'show'], dir, { env: below });
    expect(stderr).toContain('alerts.0.url is "***": expected an http or https address');
    const right = { TIDEWIRE_ALERTS: JSON.stringify([{ kind: 'webhook', url }]) };
    const shown = await callCli(['config', 'show'], dir, { env: right });
    expect([shown.code, shown.stdout]).toEqual([0, expect.not.stringContaining(SECRET)]);
    expect(hiddenValues(loadConfig({ file: null, environment: right }))).toContain(url);
  });
});
