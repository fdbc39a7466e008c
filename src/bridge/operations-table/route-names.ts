/** Where an operation is in the API, and what its route is called. */
import type { OperationRow } from './operation-row.ts';

export const operationsPath = '/api/v1/operations';

/** `market.book` is `marketBook`: the name of its route, and of its `operationId`. */
export function operationRouteName({ name }: Pick<OperationRow, 'name'>): string {
  return name.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function operationRoutePath({ name }: Pick<OperationRow, 'name'>): string {
  return `${operationsPath}/${name.replace('.', '/')}`;
}
