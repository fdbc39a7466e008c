/** Names of the tools that are made from the operations table. */
import { operations } from '../operations-table/table.ts';
import type { OperationRow } from '../operations-table/operation-row.ts';
import { operationRouteName } from '../operations-table/route-names.ts';

/** `market_book` for the operation `market.book`. */
export function operationToolName({ name }: Pick<OperationRow, 'name'>): string {
  return name.replaceAll(/[.-]/g, '_');
}

/** Name of the route to name of the tool: of those that only read, or of those that take something back. */
function toolsOf(isReading: boolean): Readonly<Record<string, string>> {
  return Object.fromEntries(
    operations
      .filter(({ call, surface }) => (call.kind === 'read') === isReading && surface.includes('mcp'))
      .map((row) => [operationRouteName(row), operationToolName(row)]),
  );
}

export const readingTools = toolsOf(true);
export const retreatTools = toolsOf(false);
