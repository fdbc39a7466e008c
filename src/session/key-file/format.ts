/**
 * An API key sealed with a passphrase, as JSON text:
 *
 *   { format, version, about, kdf, check, cipher, sealed }
 *
 * scrypt derives 64 bytes: 32 seal the secret with AES-256-GCM, 32 check the passphrase. All fields are authenticated.
 */
import { createCipheriv, createDecipheriv, createHmac, scryptSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../model/text/canonical.ts';
import { createCredentials, type Credentials } from '../../exchange/client/credentials.ts';
import { KEY_PATTERN } from '../../exchange/interface/limits.ts';
import { accessLevels, permissionCategoryRows } from '../../exchange/interface/permissions.ts';
import { sessionErrors } from '../errors.ts';

const FORMAT = 'tidewire-key';
const VERSION = 1;

/** Bounds against weak keys and memory exhaustion by a forged file. */
const COST_MIN = 2 ** 14;
const COST_MAX = 2 ** 20;
/** Some tenths of a second and 128 MB, as OWASP advises. */
export const KEY_FILE_COST = 2 ** 17;
const BLOCK_SIZE = 8;
const MEMORY_MAX = 2 * 128 * BLOCK_SIZE * COST_MAX;
export const SALT_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function base64(bytes: number): z.ZodType<string> {
  return z.base64().refine((text) => Buffer.from(text, 'base64').length === bytes, `expected ${bytes} bytes`);
}

const factsSchema = z.strictObject({
  publicKey: z.string().regex(KEY_PATTERN),
  /** Empty when unknown. */
  name: z.string().max(200),
  account: z.string().max(200).nullable(),
  /** `exchange.baseUrl` at the time of storing. */
  exchange: z.string().max(2000),
  /** Unix ms; null when unknown. */
  createdAt: z.number().nullable(),
  permissions: z
    .array(
      z.strictObject({
        category: z.enum(permissionCategoryRows.map((row) => row.category)),
        accessLevel: z.enum(accessLevels),
      }),
    )
    .max(permissionCategoryRows.length)
    .nullable(),
  /** Empty: no whitelist. Null: unknown. */
  ipAddresses: z.array(z.string().max(64)).max(1000).nullable(),
});

export type KeyFacts = Readonly<z.infer<typeof factsSchema>>;

const fileSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  about: factsSchema,
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    cost: z
      .int()
      .min(COST_MIN)
      .max(COST_MAX)
      .refine((cost) => Number.isInteger(Math.log2(cost)), 'expected a power of two'),
    salt: base64(SALT_BYTES),
  }),
  check: base64(32),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), nonce: base64(NONCE_BYTES) }),
  sealed: z.base64().max(1000),
});

type KeyFile = z.infer<typeof fileSchema>;

export interface Entropy {
  readonly salt: Buffer;
  readonly nonce: Buffer;
}

interface Derived {
  readonly seal: Buffer;
  readonly check: string;
}

function derive(passphrase: string, salt: Buffer, cost: number): Derived {
  const text = passphrase.normalize('NFC');
  const bytes = scryptSync(text, salt, 64, { N: cost, r: BLOCK_SIZE, p: 1, maxmem: MEMORY_MAX });
  const check = createHmac('sha256', bytes.subarray(32)).update(`${FORMAT}/${VERSION}/check`).digest('base64');
  return { seal: bytes.subarray(0, 32), check };
}

function headerOf({ format, version, about, kdf, check, cipher }: Omit<KeyFile, 'sealed'>): Buffer {
  return Buffer.from(canonicalJson({ format, version, about, kdf, check, cipher }));
}

export function sealKey(
  about: KeyFacts,
  secretKey: string,
  passphrase: string,
  { salt, nonce }: Entropy,
  cost: number = KEY_FILE_COST,
): string {
  const { seal, check } = derive(passphrase, salt, cost);
  const header = {
    format: FORMAT,
    version: VERSION,
    about,
    kdf: { name: 'scrypt', cost, salt: salt.toString('base64') },
    check,
    cipher: { name: 'aes-256-gcm', nonce: nonce.toString('base64') },
  } as const;
  const cipher = createCipheriv('aes-256-gcm', seal, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(headerOf({ ...header, about: { ...about } }));
  const sealed = Buffer.concat([cipher.update(secretKey, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${JSON.stringify({ ...header, sealed: sealed.toString('base64') }, null, 2)}\n`;
}

function damaged(path: string, why: string): Error {
  return sessionErrors.make('key_file_damaged', `${path}: ${why}`, { path });
}

function parse(text: string, path: string): KeyFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged(path, 'not a whole JSON document');
  }
  const parsed = fileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(path, `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not a key file'}`);
}

/** Without a check of the seal. Throws `key_file_damaged`. */
export function readKeyFacts(text: string, path: string): KeyFacts {
  return parse(text, path).about;
}

/** Throws `key_file_passphrase`, `key_file_damaged`. */
export function openKey(text: string, passphrase: string, path: string): Credentials {
  const file = parse(text, path);
  const { kdf, cipher, sealed } = file;
  const { seal, check } = derive(passphrase, Buffer.from(kdf.salt, 'base64'), kdf.cost);
  if (!timingSafeEqual(Buffer.from(check, 'base64'), Buffer.from(file.check, 'base64'))) {
    throw sessionErrors.make('key_file_passphrase', `the passphrase does not open ${path}`, { path });
  }
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length <= TAG_BYTES) throw damaged(path, 'the sealed part is too short');
  const nonce = Buffer.from(cipher.nonce, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', seal, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(headerOf(file));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const secret = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return createCredentials(file.about.publicKey, secret.toString('utf8'));
  } catch {
    throw damaged(path, 'its content was changed after it was sealed');
  }
}
