/** The OpenAPI document, judged by a validator that is not ours. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { Fleet } from '../../src/bridge/fleet/fleet.ts';
import { routesOf } from '../../src/bridge/routes/routes.ts';
import { openApi } from '../../src/bridge/server/openapi.ts';
import { Tokens } from '../../src/bridge/server/tokens.ts';
import { SignalDoor } from '../../src/bridge/signals/door.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { systemClock } from '../../src/session/system-clock.ts';

function rows() {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-bridge-'));
  return routesOf({
    fleet: new Fleet({ root, currency: 'USDT', clock: systemClock, own: null, linkTo: () => null }),
    tokens: new Tokens('t'.repeat(32)),
    cookieName: 'tidewire_1',
    isEncrypted: () => false,
    clock: systemClock,
    logger: silentLogger,
    version: '0.0.0',
    startedAt: 0,
    settings: [],
    resultFolders: [],
    recordingFolders: [],
    exchange: null,
    sweepFolders: [],
    signals: new SignalDoor({}, systemClock),
    clients: () => 0,
  });
}

describe('bridge/openapi', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(openApi(rows(), '0.0.0'));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('has tuples that generators of clients read', () => {
    const text = JSON.stringify(openApi(rows(), '0.0.0'));
    expect(text).toContain('"prefixItems"');
    expect(text).not.toContain('"items":false');
  });

  it('has each row of the API once, with its own operation id', () => {
    const all = rows();
    const document = openApi(all, '0.0.0') as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual(all.map(({ name }) => name).toSorted());
    expect(new Set(ids).size).toBe(all.length);
  });

  it('is refused by the validator when an operation loses its answers', async () => {
    const document = structuredClone(openApi(rows(), '0.0.0')) as { paths: Record<string, Record<string, object>> };
    document.paths['/api/v1/sessions']!['get'] = { responses: 7 };
    expect((await new Validator().validate(document)).valid).toBe(false);
  });
});
