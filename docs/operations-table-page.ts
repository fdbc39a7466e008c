/**
 * docs/operations-table.md: every operation of the exchange and the ways to it, made from
 * src/bridge/operations-table/. Called by `generate.ts` and by the test that holds page and table equal.
 */
import { z } from 'zod';
import { operationRoutePath } from '../src/bridge/operations-table/route-names.ts';
import { operationToolName } from '../src/bridge/mcp/operation-tools.ts';
import type { OperationRow } from '../src/bridge/operations-table/operation-row.ts';
import { notOperations, operations } from '../src/bridge/operations-table/table.ts';

const TITLES: Readonly<Record<string, string>> = {
  market: 'Markets',
  spot: 'Spot',
  futures: 'Futures',
  orders: 'Orders',
  account: 'Account',
  transfer: 'Transfers',
  wallet: 'Crypto deposits and withdrawals',
  fiat: 'Fiat',
  codes: 'Codes',
  overdraft: 'Overdraft',
  p2p: 'P2P',
  keys: 'API keys',
};

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** `symbol`, `limit?`. */
function paramsOf({ params }: OperationRow): string {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties)
    .map((name) => code(required.includes(name) ? name : `${name}?`))
    .join(' ');
}

function waysOf(row: OperationRow): string {
  const { surface, command, call, terminalOnly } = row;
  const method = call.kind === 'read' ? 'GET' : 'POST';
  return [
    code(`tidewire ${command}`),
    ...(surface.includes('api') ? [code(`${method} ${operationRoutePath(row).replace('/api/v1', '')}`)] : []),
    ...(surface.includes('mcp') ? [`tool ${code(operationToolName(row))}`] : []),
    ...(terminalOnly === null ? [] : [`alone: ${terminalOnly}`]),
  ].join(' · ');
}

function lineOf(row: OperationRow): string {
  const { name, about, moves, confirmation } = row;
  const effect = moves === 'nothing' ? '' : `${moves}, ${confirmation === 'two-step' ? 'confirmed first' : 'no code'}`;
  return `| ${[code(name), about, paramsOf(row), effect, waysOf(row)].join(' | ')} |`;
}

export function operationsTablePage(): string {
  const areas = [...new Set(operations.map(({ name }) => name.split('.')[0] ?? ''))];
  const parts = [
    '# Operations of the exchange',
    'One row an operation of the [interface](interface.md). The [API](bridge.md#operations-of-the-exchange), its OpenAPI document and the tools of [`tidewire mcp`](remote.md) are made from these rows; [`GET /api/v1/operations`](bridge.md) lists them. The exact types of parameters and answers stand in the OpenAPI document. What takes money out of the account, and what shows or makes a key or a code, is on the command line alone; its row says why. What `moves` money or orders by the API or a tool is a [command to a live session](bridge.md#money): `confirmed first` in two steps; `no code` where it only takes something back, and then `tidewire mcp --armed` has it, too.',
    'This page is made from `src/bridge/operations-table/` by `npm run docs`.',
  ];
  for (const area of areas) {
    const rows = operations.filter(({ name }) => name.startsWith(`${area}.`));
    parts.push(
      `## ${TITLES[area] ?? area}`,
      ['| operation | for | parameters | moves | ways to it |', '|---|---|---|---|---|', ...rows.map(lineOf)].join(
        '\n',
      ),
    );
  }
  const others = Object.entries(notOperations).map(([name, why]) => `| ${code(name)} | ${why} |`);
  parts.push('## Endpoints that are no operation', ['| endpoint | why |', '|---|---|', ...others].join('\n'));
  return `${parts.join('\n\n')}\n`;
}
