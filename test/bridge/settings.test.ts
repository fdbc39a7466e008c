/** What the page shows of the configuration: no secret, in whichever place one stands. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dashboardWish } from '../../src/cli/sessions/dashboard-option.ts';
import { loadConfig } from '../../src/session/config/load.ts';

const SECRETS = [
  '123456:telegram-token-of-a-bot',
  'a-signing-secret-of-a-sender',
  'path-that-nobody-knows',
  'h'.repeat(40),
];

const CONFIG = `
alerts: [{ telegram: { token: '${SECRETS[0]}', chats: [4711] } }]
signals:
  trend: { secret: '${SECRETS[1]}' }
  chart: { secretPath: '${SECRETS[2]}' }
dashboard: { token: '${SECRETS[3]}', on: true }
risk: { maxOpenOrders: 7 }
`;

it('bridge/settings/no-secret-and-the-layer-that-won', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bridge-'));
  const file = join(folder, 'tidewire.yaml');
  writeFileSync(file, CONFIG);
  const environment = { TIDEWIRE_RISK_MAX_OPEN_ORDERS: '9' };
  const nowhere = {
    out: () => {},
    err: () => {},
    isTty: false,
    exit: () => {},
    interrupted: new Promise<string>(() => {}),
  };
  const wish = dashboardWish({ ...nowhere, env: {}, cwd: folder }, {}, loadConfig({ file, environment }), false);
  const settings = wish?.settings ?? [];
  const text = JSON.stringify(settings);
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  expect(settings).toContainEqual({ path: 'risk.maxOpenOrders', value: 9, layer: 'environment', about: null });
  expect(settings).toContainEqual({ path: 'dashboard.on', value: true, layer: 'file', about: null });
  rmSync(folder, { recursive: true, force: true });
});
