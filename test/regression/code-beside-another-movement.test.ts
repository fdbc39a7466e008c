/**
 * Found by a stranger: a request to create a code was delivered twice by the network, two codes were paid, and nothing was said; so it
 * was with a withdrawal. What has left the account is compared with what was asked for, as a transfer does.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answering, openCliDesk, type CliDesk } from '../cli/cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(92);
});
afterAll(() => desk.stop());

it('says that more has left than the code', async () => {
  const moved = async (): Promise<string> => {
    await desk.json('alice', 'transfer', 'make', 'funding', 'unified-trading', 'USDT', '7', '--yes');
    return 'yes';
  };
  const terminal = { ...answering('yes'), ask: moved };
  const made = await desk.call('alice', ['codes', 'create', 'USDT', '5'], { terminal });
  expect(made.code, made.stderr).toBe(0);
  expect(made.stderr).toContain(
    'note: funding has 12 USDT less, not 5: something else has moved, or this twice; see `tidewire codes my`',
  );
  const alone = await desk.call('alice', ['codes', 'create', 'USDT', '6', '--yes']);
  expect(alone.code, alone.stderr).toBe(0);
  expect(alone.stderr).not.toContain('note:');
});
