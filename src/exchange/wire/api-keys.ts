/** Logins and API keys (interface, "Create API key"). Only a creation answer has the secret; never log it. */
import { z } from 'zod';
import { accessLevels, permissionCategoryRows, type Permission } from '../interface/permissions.ts';
import { KEY_PATTERN, SECRET_PATTERN } from '../interface/limits.ts';
import { id, optionalText, optionalTime, text, time } from './scalars.ts';

export interface LoginAnswer {
  readonly token: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

export const loginSchema: z.ZodType<LoginAnswer> = z.object({ token: text, expiresAt: time });

export interface NewApiKey {
  readonly publicKey: string;
  readonly secretKey: string;
}

const keyText = z.string().regex(KEY_PATTERN);

const secretText = z.string().regex(SECRET_PATTERN);
export const newApiKeySchema: z.ZodType<NewApiKey> = z.object({ publicKey: keyText, secretKey: secretText });

export interface ApiKeyRow {
  readonly publicKey: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Empty: no whitelist. */
  readonly ipAddresses: readonly string[];
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** `active`, `blocked`, `expired`. */
  readonly status: string | null;
}

const permission: z.ZodType<Permission> = z.object({
  category: z.enum(permissionCategoryRows.map((row) => row.category)),
  accessLevel: z.enum(accessLevels),
});

export const apiKeySchema: z.ZodType<ApiKeyRow> = z.object({
  publicKey: keyText,
  name: z.string(),
  permissions: z.array(permission),
  ipAddresses: z
    .array(text)
    .nullish()
    .transform((addresses) => addresses ?? []),
  createdAt: time,
  expiresAt: optionalTime,
  status: optionalText,
});

export interface DeletedApiKey {
  readonly publicKey: string;
}

export const deletedApiKeySchema: z.ZodType<DeletedApiKey> = z.object({ publicKey: id });
