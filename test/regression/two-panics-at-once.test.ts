/**
 * Found by hand with two `panic` at the same time: the call of the second replaced that of the first, which was then never
 * heard, so the first ended with 4 and asked for `kill -9` of a healthy process.
 */
import { expect, it } from 'vitest';
import { AccountCalls, callAccount, hasHeard } from '../../src/session/emergency/account-call.ts';
import { KillSwitch, PANIC_FLATTEN } from '../../src/risk/kill-switch.ts';
import { tempDir } from '../e2e/live-stack.ts';

function called(run: (folder: string, heed: () => void, latch: KillSwitch) => void): void {
  const { dir, remove } = tempDir();
  const latch = new KillSwitch();
  const calls = new AccountCalls(dir);
  const kill = (reason: string): void => void latch.latch(reason);
  try {
    run(dir, () => calls.heed({ kill, journalFailure: undefined }), latch);
  } finally {
    remove();
  }
}

it.each([
  ['panic', 'panic'],
  ['panic', PANIC_FLATTEN],
  [PANIC_FLATTEN, PANIC_FLATTEN],
])('acknowledges both: %s, replaced by %s', (one, other) =>
  called((folder, heed) => {
    const first = callAccount(folder, one);
    const second = callAccount(folder, other);
    expect([first, second].map((call) => hasHeard(folder, call))).toEqual([false, false]);
    heed();
    expect([first, second].map((call) => hasHeard(folder, call))).toEqual([true, true]);
  }),
);

it('does not count an earlier call as the newer one', () =>
  called((folder, heed) => {
    const first = callAccount(folder, 'panic');
    heed();
    const second = callAccount(folder, 'panic');
    expect([hasHeard(folder, first), hasHeard(folder, second)]).toEqual([true, false]);
  }));

it('does not let a panic that closes positions begin while only one is heard that lets exits go on', () =>
  called((folder, heed, latch) => {
    const flattens = callAccount(folder, PANIC_FLATTEN);
    const plain = callAccount(folder, 'panic');
    heed();
    expect(latch.denial(true)).toBeNull();
    expect(hasHeard(folder, flattens)).toBe(false);
    heed();
    expect(latch.denial(true)).not.toBeNull();
    expect([hasHeard(folder, flattens), hasHeard(folder, plain)]).toEqual([true, true]);
  }));
