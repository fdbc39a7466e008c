/** Secrets that stood in the YAML passed `config check` and a start without a word, and the password of a collector was shown. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';

const LITERAL = `alerts:
  - { kind: webhook, url: "https://hooks.example/T0K3N" }
  - { kind: webhook, url: "http://127.0.0.1:9/alerts" }
  - telegram: { token: "4711:T0K3N", chats: [1] }
  - { ping: { url: "https://ping.example/T0K3N" } }
signals: { chart: { secretPath: "T0K3N-T0K3N-T0K3N" } }
metrics: { otlp: { url: "https://ada:T0K3N@collector.example/v1", headers: { authorization: T0K3N, tenant: bots } } }
dashboard: { on: false, token: T0K3N-T0K3N-T0K3N-T0K3N-T0K3N-T0K3N }
`;
const PATHS = [
  ['alerts.0.url', 2],
  ['alerts.2.telegram.token', 4],
  ['alerts.3.ping.url', 5],
  ['signals.chart.secretPath', 6],
  ['metrics.otlp.url', 7],
  ['metrics.otlp.headers.authorization', 7],
  ['dashboard.token', 8],
] as const;

function folder(yaml: string): string {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), yaml);
  return cwd;
}

it('config/secrets/in-the-file-are-warned-of-with-their-place', async () => {
  const cwd = folder(LITERAL);
  const warnings = PATHS.map(
    ([path, line]) => `${join(cwd, 'c.yaml')}:${line}: ${path} is a secret in the file; write \${NAME} there`,
  );
  const checked = await run(['config', 'check', 'c.yaml', '--json'], { cwd });
  expect(checked.code, checked.stderr).toBe(0);
  expect(documentOf(checked)).toMatchObject({ ok: true, warnings });
  expect(checked.stderr).toBe(warnings.map((warning) => `warn ${warning}\n`).join(''));
  // It ends before it trades, as there is no such file.
  const started = await run(['paper', 'none.ts', '--config', 'c.yaml'], { cwd });
  for (const warning of warnings) expect(started.stderr).toContain(`warn ${warning}\n`);
  for (const { stdout, stderr } of [checked, started]) expect(stdout + stderr).not.toContain('T0K3N');
});

it('config/secrets/of-the-environment-are-not', async () => {
  const cwd = folder('alerts: [{ kind: telegram, token: "${TELEGRAM}", chat: "1" }]\ndashboard: { token: auto }\n');
  const checked = await run(['config', 'check', 'c.yaml', '--json'], { cwd, env: { TELEGRAM: 'T0K3N' } });
  expect(documentOf(checked)).toMatchObject({ ok: true, warnings: [] });
});

it('config/secrets/name-and-password-in-an-address-are-masked', async () => {
  const cwd = folder(LITERAL);
  const shown = await run(['config', 'show', '--config', 'c.yaml'], { cwd });
  expect(shown.stdout).toContain('https://***@collector.example/v1');
  expect(shown.stdout).not.toContain('T0K3N');
  expect(shown.stdout).not.toContain('ada');
  const wrong = folder(LITERAL.replace('https://ada:', 'ftp://ada:'));
  const refused = await run(['config', 'check', 'c.yaml'], { cwd: wrong });
  expect(refused.stderr).toContain('ftp://***@collector.example/v1');
  expect(refused.stderr).not.toContain('T0K3N');
});
