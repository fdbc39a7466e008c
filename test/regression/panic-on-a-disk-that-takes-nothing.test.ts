/**
 * Found from outside: `panic --flatten` with a read-only folder of sessions said that starts are blocked and ended with 0,
 * though neither KILL nor panic.jsonl could be written. The next start believed in what was sold, and its stop sold it again.
 */
import { appendFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { writePanicLineAside } from '../../src/session/emergency/panic-ledger.ts';
import { accountFolder } from '../../src/session/store/account-place.ts';
import { readableSessions, Problems } from '../../src/session/emergency/panic.ts';
import { until, type World } from '../e2e/live-stack.ts';
import { holding, panic, type Setting } from '../e2e/panic-setting.ts';

/** Not even root can write these files. Returns what makes them writable again. */
function refuse(...files: readonly string[]): () => void {
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(join(dirname(file), 'nowhere', 'file'), file);
  }
  return () => files.forEach((file) => rmSync(file));
}

function filesOfPanic(root: string): readonly string[] {
  const [session] = readableSessions(root, new Problems());
  return [join(root, '.KILL'), join(session!.path, 'KILL'), join(root, 'panic.jsonl')];
}

const ownerOf = ({ sandbox }: World) => ({ account: 'alice', exchange: sandbox.restUrl });
const SOLD = [{ symbol: 'BTCUSDT', quantity: 'sell 0.04997', outcome: 'accepted' }];

async function expectKnown({ restart }: Pick<Setting, 'restart'>): Promise<void> {
  const next = await restart();
  const position = (): string => next.executor.account('taker').position('BTCUSDT').quantity;
  await until(() => position() === '0.000005', 'the position is what is left');
  expect(next.executor.unresolvedCount()).toBe(0);
}

it('sells, ends with 4, says what to do, and the next start knows what was sold all the same', () =>
  holding(async ({ world, stack, root, restart }) => {
    await stack.stop();
    const allow = refuse(...filesOfPanic(root));
    const { code, said, document } = await panic(world, root, '--flatten');
    expect(document).toMatchObject({ told: [], openAfter: 0, flattened: SOLD });
    expect(document.unwritten).toEqual([
      expect.stringMatching(`^${root}: the file KILL .*tidewire panic. again`),
      expect.stringMatching(`^${root}: panic.jsonl .*tidewire reconcile.*${accountFolder(ownerOf(world))}`),
    ]);
    expect(said).toContain('starts are NOT BLOCKED');
    expect(code).toBe(4);
    // It does not sell again what stands in the other place.
    expect((await panic(world, root, '--flatten')).document.flattened).toEqual([]);
    allow();
    await expectKnown({ restart });
  }));

it('prints the lines where no disk takes them; put into the file they are known', () =>
  holding(async ({ world, stack, root, restart }) => {
    await stack.stop();
    const allow = refuse(...filesOfPanic(root), join(accountFolder(ownerOf(world)), 'panic.jsonl'));
    const { code, document } = await panic(world, root, '--flatten');
    expect(document.flattened).toEqual(SOLD);
    expect(code).toBe(4);
    allow();
    const lines = document.unwritten.flatMap((text) => /\{.*\}$/.exec(text)?.[0] ?? []);
    expect(lines).toHaveLength(2);
    appendFileSync(join(root, 'panic.jsonl'), `${lines.join('\n')}\n`);
    await expectKnown({ restart });
  }));

it('ends with 4 without --flatten, too, where no start is blocked', () =>
  holding(async ({ world, stack, root }) => {
    await stack.stop();
    const allow = refuse(...filesOfPanic(root));
    const refused = await panic(world, root);
    expect(refused.document.unwritten).toEqual([expect.stringContaining(`${root}: the file KILL`)]);
    expect(refused.code).toBe(4);
    allow();
    const { code, said, document } = await panic(world, root);
    expect(document).toMatchObject({ problems: [], unwritten: [], told: [expect.any(String)] });
    expect(said).toContain('starts are blocked');
    expect(code).toBe(0);
  }));

it('passes over what was sent for another folder of sessions of the account', () =>
  holding(async ({ world, stack, root }) => {
    await stack.stop();
    const sent = { kind: 'sending', id: 'panic_x-1', symbol: 'BTCUSDT', quantity: '-0.01', strategy: 'taker' } as const;
    writePanicLineAside(ownerOf(world), { ...sent, ...ownerOf(world), session: 'of-another-folder' });
    const { code, document } = await panic(world, root, '--flatten');
    expect(document).toMatchObject({ flattened: SOLD, problems: [] });
    expect(code).toBe(0);
  }));
