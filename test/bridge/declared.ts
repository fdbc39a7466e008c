/** Whether an answer is one that the OpenAPI document declares. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fleet } from '../../src/bridge/fleet/fleet.ts';
import { routesOf } from '../../src/bridge/routes/routes.ts';
import { openApi } from '../../src/bridge/server/openapi.ts';
import type { Route } from '../../src/bridge/server/route.ts';
import { Tokens } from '../../src/bridge/server/tokens.ts';
import { SignalDoor } from '../../src/bridge/signals/door.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';

export function apiRows(): readonly Route[] {
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

interface Answers {
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
}

interface Paths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Answers>>>>;
}

let known: readonly { readonly method: string; readonly path: RegExp; readonly answers: Answers }[] | null = null;

function declared(): NonNullable<typeof known> {
  const { paths } = openApi(apiRows(), '0.0.0') as unknown as Paths;
  return Object.entries(paths)
    .toSorted(([left], [right]) => Number(left.includes('{')) - Number(right.includes('{')))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, answers]) => {
        const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+');
        return { method: method.toUpperCase(), path: new RegExp(`^${pattern}$`), answers };
      }),
    );
}

/** What is wrong; null: it is declared, or the document has no such request. `target`: path with query and fragment. */
export function undeclared(method: string, target: string, status: number, type: string): string | null {
  known ??= declared();
  // A fragment is none of the path.
  const path = target.split(/[?#]/)[0]!;
  const row = known.find((one) => one.method === method && one.path.test(path));
  if (row === undefined) return null;
  const types = Object.keys(row.answers.responses[status]?.content ?? {});
  const [media = ''] = type.split(';');
  return types.includes(media)
    ? null
    : `${method} ${path} answered ${status} ${media}, declared are ${types.join(', ')}`;
}
