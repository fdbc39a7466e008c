/**
 * One journal of money an account, by whatever address or key the exchange is reached: what one command left unknown must
 * not be sent again by another that does not see it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { enterPlace, moneyPlaces, type MoneyIdentity } from '../../../src/session/money/money-place.ts';

let root: string;

beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'tidewire-places-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function identity(exchangeName: string, publicKey: string | null, account = 'alice'): MoneyIdentity {
  return { sessionsDir: join(root, 'sessions'), exchangeName, publicKey, account };
}

/** As a command does it: the folder is used and entered. */
function use(as: MoneyIdentity): string {
  const [folder = ''] = moneyPlaces(as);
  journalAt(folder, false);
  enterPlace(as, folder);
  return basename(folder);
}

function journalAt(folder: string, isUnknown: boolean): void {
  const journal = openJournal(folder);
  const request = { kind: 'transfer', from: 'funding', to: 'unified-trading', currency: 'USDT', amount: '1' } as const;
  if (isUnknown) {
    journal.append(1, [
      { kind: 'money-intent', intentId: 'm1', strategy: '', request, before: null },
      { kind: 'money-sending', intentId: 'm1' },
    ]);
  }
  journal.close();
}

describe('the journal of an account', () => {
  it('is the same by another address with the same key, and by another key at a known address', () => {
    expect(use(identity('a.example', 'k1'))).toBe('a.example-alice');
    expect(use(identity('b.example', 'k1'))).toBe('a.example-alice');
    expect(use(identity('b.example', 'k2'))).toBe('a.example-alice');
    expect(use(identity('c.example', 'k2'))).toBe('a.example-alice');
    // A login without a key.
    expect(use(identity('c.example', null))).toBe('a.example-alice');
  });

  it('is another one for another account, and where neither address nor key is known', () => {
    use(identity('a.example', 'k1'));
    expect(use(identity('a.example', 'k1', 'bob'))).toBe('a.example-bob');
    expect(use(identity('b.example', 'k2'))).toBe('b.example-alice');
    expect(use(identity('c.example', null))).toBe('c.example-alice');
  });

  it('of before this was written down is found by its name, and entered', () => {
    journalAt(join(root, 'money', 'a.example-alice'), true);
    expect(use(identity('a.example', 'k1'))).toBe('a.example-alice');
    expect(use(identity('b.example', 'k1'))).toBe('a.example-alice');
  });

  it('of which there were two is the one with something unknown', () => {
    journalAt(join(root, 'money', 'b.example-alice'), true);
    use(identity('a.example', 'k1'));
    expect(moneyPlaces(identity('b.example', 'k1')).map((folder) => basename(folder))).toEqual([
      'b.example-alice',
      'a.example-alice',
    ]);
  });

  it('is not guessed where the list of them cannot be read', () => {
    use(identity('a.example', 'k1'));
    writeFileSync(join(root, 'money', 'accounts.json'), '{', { mode: 0o600 });
    expect(() => moneyPlaces(identity('a.example', 'k1'))).toThrow(
      expect.objectContaining({ code: 'owner_file_unreadable' }),
    );
  });
});
