/** Key files on disk, which key is taken, and the warning before a key ends. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ageWarning, keyAge } from '../../../src/session/key-file/age.ts';
import { NONCE_BYTES, SALT_BYTES, sealKey, type KeyFacts } from '../../../src/session/key-file/format.ts';
import { belongsTo, findCredentials, findStoredKey, storeKey } from '../../../src/session/key-file/key-file.ts';
import { readOwnerFile, writeOwnerFile } from '../../../src/session/store/owner-file.ts';

const SECRET = 'c0ffee'.padEnd(64, '0');
const OTHER = 'beef'.padEnd(64, '0');
const PASSPHRASE = 'correct horse battery';
const DAY_MS = 24 * 3_600_000;
const BORN = 1_700_000_000_000;

const facts: KeyFacts = {
  publicKey: 'ab'.repeat(32),
  name: 'bot',
  account: 'alice',
  exchange: 'https://api.example.com',
  createdAt: BORN,
  permissions: null,
  ipAddresses: [],
};

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-keys-'));
  path = join(folder, 'data/keys/default.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A key file that opens fast. */
function put(file: string): void {
  const entropy = { salt: Buffer.alloc(SALT_BYTES, 1), nonce: Buffer.alloc(NONCE_BYTES, 2) };
  writeOwnerFile(file, sealKey(facts, SECRET, PASSPHRASE, entropy, 2 ** 14), { replace: false });
}

function error(code: string) {
  return expect.objectContaining({ code });
}

interface Asked {
  readonly environment?: Readonly<Record<string, string>>;
  readonly exchange?: string;
  readonly now?: number;
}

async function find({ environment = {}, exchange = facts.exchange, now = BORN }: Asked) {
  const warnings: string[] = [];
  const asked: string[] = [];
  const credentials = await findCredentials({
    cwd: folder,
    environment,
    exchange,
    now,
    passphrase: async (file) => {
      asked.push(file);
      return PASSPHRASE;
    },
    warn: (text) => void warnings.push(text),
  });
  return { key: credentials?.publicKey ?? null, warnings, asked };
}

describe('storing a key', () => {
  it('makes a file and a folder for the owner alone, and leaves no draft', () => {
    storeKey(path, facts, SECRET, PASSPHRASE, { replace: false });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'data/keys')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'data/keys'))).toEqual(['default.json']);
    expect(findStoredKey(path)?.open(PASSPHRASE).secret.export().toString()).toBe(SECRET);
  });

  it('keeps a key that is there unless it may replace it', () => {
    put(path);
    expect(() => storeKey(path, facts, OTHER, PASSPHRASE, { replace: false })).toThrow(error('owner_file_exists'));
    storeKey(path, facts, OTHER, PASSPHRASE, { replace: true });
    expect(findStoredKey(path)?.open(PASSPHRASE).secret.export().toString()).toBe(OTHER);
    expect(readdirSync(join(folder, 'data/keys'))).toEqual(['default.json']);
  });

  it('refuses a passphrase that protects nothing', () => {
    expect(() => storeKey(path, facts, SECRET, 'short', { replace: false })).toThrow(error('key_file_passphrase'));
    expect(findStoredKey(path)).toBeNull();
  });

  it('says what it cannot write', () => {
    writeFileSync(join(folder, 'data'), 'a file, not a folder');
    expect(() => storeKey(path, facts, SECRET, PASSPHRASE, { replace: false })).toThrow(error('not_writable'));
  });
});

describe('a file for its owner alone', () => {
  it.each([0o644, 0o640, 0o604, 0o660, 0o602])('is not read with mode %o', (mode) => {
    writeOwnerFile(path, 'secret', { replace: false });
    chmodSync(path, mode);
    expect(() => readOwnerFile(path)).toThrow(error('owner_file_open'));
  });

  it('is not there, which is no error; or is too much, which is one', () => {
    expect(readOwnerFile(path)).toBeNull();
    writeOwnerFile(path, 'x'.repeat(1_100_000), { replace: false });
    expect(() => readOwnerFile(path)).toThrow(error('owner_file_unreadable'));
    symlinkSync(folder, join(folder, 'folder'));
    expect(() => readOwnerFile(join(folder, 'folder'))).toThrow(error('owner_file_unreadable'));
  });
});

describe('the key of a process', () => {
  it('is the one in the environment before the key file, whose passphrase is then not asked for', async () => {
    put(path);
    const environment = { TIDEWIRE_API_KEY: 'cd'.repeat(32), TIDEWIRE_API_SECRET: OTHER };
    expect(await find({ environment })).toEqual({ key: 'cd'.repeat(32), warnings: [], asked: [] });
    expect(await find({})).toEqual({ key: facts.publicKey, warnings: [], asked: [path] });
  });

  it('is none without both, and the file that TIDEWIRE_KEY_FILE names', async () => {
    expect(await find({})).toEqual({ key: null, warnings: [], asked: [] });
    const other = join(folder, 'other.json');
    put(other);
    expect((await find({ environment: { TIDEWIRE_KEY_FILE: 'other.json' } })).asked).toEqual([other]);
  });

  it('is not taken for another exchange', async () => {
    put(path);
    await expect(find({ exchange: 'https://evil.example' })).rejects.toThrow(error('key_file_other_exchange'));
    const sandbox = { ...facts, exchange: 'http://127.0.0.1:8787' };
    expect(belongsTo(sandbox, 'http://127.0.0.1:9999')).toBe(true);
    expect(belongsTo(sandbox, facts.exchange)).toBe(false);
    expect(belongsTo(facts, 'https://api.example.com/')).toBe(true);
  });

  it('warns when it nears its end', async () => {
    put(path);
    expect((await find({ now: BORN + 75 * DAY_MS })).warnings).toEqual([]);
    const { warnings } = await find({ now: BORN + 76 * DAY_MS });
    expect(warnings).toEqual([expect.stringContaining('76 days old')]);
  });
});

describe('the age of a key', () => {
  const bare = { createdAt: BORN, ipAddresses: [] };

  it.each([
    [0, 'fresh'],
    [76 * DAY_MS - 1, 'fresh'],
    [76 * DAY_MS, 'ageing'],
    [90 * DAY_MS - 1, 'ageing'],
    [90 * DAY_MS, 'expired'],
  ])('after %d ms is %s', (afterMs, kind) => {
    const age = keyAge(bare, BORN + afterMs);
    expect(age).toMatchObject({ kind, expiresAt: BORN + 90 * DAY_MS, days: Math.floor(afterMs / DAY_MS) });
    expect(ageWarning(age) === null).toBe(kind === 'fresh');
  });

  it('has no end with a whitelist, and is not known without its facts', () => {
    expect(keyAge({ ...bare, ipAddresses: ['10.0.0.1'] }, BORN + 200 * DAY_MS)).toEqual({ kind: 'endless' });
    expect(keyAge({ ...bare, ipAddresses: null }, BORN)).toEqual({ kind: 'unknown' });
    expect(keyAge({ ...bare, createdAt: null }, BORN)).toEqual({ kind: 'unknown' });
  });
});
