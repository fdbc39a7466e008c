/**
 * Writes the reference pages that are made from tables: errors and deny reasons. `npm run docs` writes them, a test
 * holds page and table equal.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { denyReasons } from '../src/model/deny-reason.ts';
import type { ErrorRow } from '../src/model/errors.ts';

const root = new URL('../', import.meta.url);

export interface RoomErrors {
  readonly room: string;
  readonly rows: Readonly<Record<string, ErrorRow>>;
}

function isTable(value: unknown): value is { rows: RoomErrors['rows'] } {
  return typeof value === 'object' && value !== null && 'rows' in value && 'make' in value;
}

export async function errorTables(): Promise<readonly RoomErrors[]> {
  const rooms = readdirSync(new URL('src/', root), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const tables: RoomErrors[] = [];
  for (const { name } of rooms) {
    const folder = new URL(`src/${name}/`, root);
    if (!readdirSync(folder).includes('errors.ts') || name === 'model') continue;
    const module = (await import(new URL('errors.ts', folder).href)) as Record<string, unknown>;
    for (const value of Object.values(module)) if (isTable(value)) tables.push({ room: name, rows: value.rows });
  }
  return tables;
}

const EXITS: Readonly<Record<number, string>> = {
  1: '1 (failed)',
  2: '2 (usage or configuration)',
  3: '3 (refused by a safety rule)',
  4: '4 (exchange or network)',
  5: '5 (integrity)',
};

export async function errorsPage(): Promise<string> {
  const parts = [
    '# Errors',
    'Every error has a stable code: match on it, never on the message. The exit code is that of the command line.',
    'This page is made from the tables in `src/*/errors.ts` by `npm run docs`.',
  ];
  for (const { room, rows } of await errorTables()) {
    parts.push(`## ${room}`);
    for (const [code, { exit, meaning, remedy }] of Object.entries(rows)) {
      parts.push(`### \`${code}\``, `${meaning}\n\nExit code ${EXITS[exit] ?? exit}. **What to do:** ${remedy}`);
    }
  }
  return `${parts.join('\n\n')}\n`;
}

export function denyReasonsPage(): string {
  const rows = Object.entries(denyReasons).map(([code, text]) => `| \`${code}\` | ${text} |`);
  return [
    '# Deny reasons',
    '',
    'Why an action was denied before anything was sent. This page is made from `src/model/deny-reason.ts` by `npm run docs`.',
    '',
    '| reason | meaning |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(new URL('docs/errors.md', root), await errorsPage());
  writeFileSync(new URL('docs/deny-reasons.md', root), denyReasonsPage());
}
