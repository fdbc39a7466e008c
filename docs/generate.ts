/**
 * Writes the reference pages that are made from tables: errors, deny reasons, commands, the interface of the exchange,
 * what the sandbox assumes, every key of the configuration. `npm run docs` writes them, a test holds page and table equal.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { commands } from '../src/cli/command-table.ts';
import type { CliIo } from '../src/cli/command.ts';
import { denyReasons } from '../src/model/trading/deny-reason.ts';
import type { ErrorRow } from '../src/model/errors.ts';
import { configPage } from './config-page.ts';
import { interfacePage } from './interface-page.ts';
import { operationsTablePage } from './operations-table-page.ts';
import { sandboxPage } from './sandbox-page.ts';

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
    if (!readdirSync(folder).includes('errors.ts')) continue;
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
    'Every error has a stable code: match on it, never on the message. The exit code is that of the command line. With `--json` stdout has `{"error": {"code", "message", "hint", "details"}}`; `hint` is what to do, `details` is there where a program may want values.',
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
    'Why an action was denied before anything was sent. This page is made from `src/model/trading/deny-reason.ts` by `npm run docs`.',
    '',
    '| reason | meaning |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const SILENT_IO: CliIo = {
  out: () => {},
  err: () => {},
  isTty: false,
  env: {},
  cwd: '/',
  interrupted: new Promise(() => {}),
  exit: () => {},
};

/** The help of a command as it is printed, examples included. */
function helpText(command: Command): string {
  const printed: string[] = [];
  command
    .configureHelp({ helpWidth: 110 })
    .configureOutput({ writeOut: (text) => void printed.push(text) })
    .outputHelp();
  return printed.join('').trim();
}

function helpOf(command: Command, path: string): string {
  const usage = `### \`tidewire ${path}\`\n\n\`\`\`\n${helpText(command)}\n\`\`\``;
  const children = command.commands.map((child) => helpOf(child, `${path} ${child.name()}`));
  return [usage, ...children].join('\n\n');
}

export async function commandsPage(): Promise<string> {
  const parts = [
    '# The command line',
    'Every command takes `--json` (one document on stdout, logs on stderr) and `--help`. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 refused by a safety rule, 4 exchange or network, 5 integrity. Durations are `30s`, `5m`, `2h`; times ISO 8601 or Unix ms.',
    'This page is made from the commands themselves by `npm run docs`.',
  ];
  for (const [name, { summary, load }] of Object.entries(commands)) {
    parts.push(
      `## ${name}`,
      `${summary[0]?.toUpperCase() ?? ''}${summary.slice(1)}.`,
      helpOf((await load()).build(SILENT_IO).name(`tidewire ${name}`), name),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(new URL('docs/errors.md', root), await errorsPage());
  writeFileSync(new URL('docs/deny-reasons.md', root), denyReasonsPage());
  writeFileSync(new URL('docs/commands.md', root), await commandsPage());
  writeFileSync(new URL('docs/interface.md', root), interfacePage());
  writeFileSync(new URL('docs/operations-table.md', root), operationsTablePage());
  const sandbox = new URL('docs/sandbox.md', root);
  writeFileSync(sandbox, sandboxPage(readFileSync(sandbox, 'utf8')));
  const config = new URL('docs/config.md', root);
  writeFileSync(config, configPage(readFileSync(config, 'utf8')));
}
