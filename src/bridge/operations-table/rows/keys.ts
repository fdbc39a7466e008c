/** API keys: closed to API keys themselves, with a login of their own, on the terminal alone. */
import { z } from 'zod';
import { apiKeySchema, deletedApiKeySchema, newApiKeySchema } from '../../../exchange/wire/api-keys.ts';
import { accessLevels, permissionCategoryRows } from '../../../exchange/interface/permissions.ts';
import { terminalRow, type OperationRow } from '../operation-row.ts';
import { none } from '../parameters.ts';

const categories = permissionCategoryRows.map(({ category }) => category);
const terminalOnly = 'it needs a login with a second factor, which no session has';
const publicKey = z.string().regex(/^[0-9a-f]{64}$/i);

export const keyRows: readonly OperationRow[] = [
  terminalRow({
    name: 'keys.list',
    about: 'Own API keys',
    endpoints: ['apiKeys'],
    command: 'keys list',
    params: none,
    output: z.array(apiKeySchema),
    method: 'money.identity.keys',
    moves: 'nothing',
    terminalOnly,
  }),
  terminalRow({
    name: 'keys.create',
    about: 'Create an API key and store its secret in an encrypted key file',
    endpoints: ['createApiKey'],
    command: 'keys create',
    params: z.strictObject({
      name: z.string().min(1).max(64),
      permissions: z.array(z.strictObject({ category: z.enum(categories), accessLevel: z.enum(accessLevels) })),
      ipAddresses: z.array(z.union([z.ipv4(), z.ipv6()])),
    }),
    output: newApiKeySchema,
    method: 'money.identity.createKey',
    moves: 'access',
    terminalOnly,
  }),
  terminalRow({
    name: 'keys.delete',
    about: 'Delete an API key; it stops working at once',
    endpoints: ['deleteApiKey'],
    command: 'keys delete',
    params: z.strictObject({ publicKey }),
    output: deletedApiKeySchema,
    method: 'money.identity.deleteKey',
    moves: 'access',
    terminalOnly,
  }),
];
