/**
 * Found by a stranger: the maker edited the price of an advertisement while the plan of `p2p respond` waited for its yes. The trade
 * began at the new price, 9 % worse than what was confirmed, with exit 0 and no word.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answering, openCliDesk, type CliDesk } from '../cli/cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(91);
});
afterAll(() => desk.stop());

it('is contradicted where it is another one than was confirmed', async () => {
  const terms = ['--price', '95', '--amount', '100', '--min', '500', '--max', '9500', '--method', '1'];
  const ad = String((await desk.json('alice', 'p2p', 'create', 'USDTRUB', 'sell', ...terms, '--yes'))['id']);
  const edited = async (): Promise<string> => {
    for (const step of [
      ['deactivate', ad],
      ['edit', ad, '--price', '104'],
      ['activate', ad],
    ])
      await desk.json('alice', 'p2p', ...step, '--yes');
    return 'yes';
  };
  const terminal = { ...answering('yes'), ask: edited };
  const ended = await desk.call('bob', ['p2p', 'respond', ad, '10', '--json'], { terminal });
  const { error } = JSON.parse(ended.stdout) as { error: { code: string; message: string; details: { id: string } } };
  expect([ended.code, error.code]).toEqual([4, 'operation_contradicted']);
  expect(error.message).toMatch(/was started at 104 RUB, and 95 was confirmed .* `tidewire p2p cancel/);
  expect(await desk.json('bob', 'p2p', 'cancel', error.details.id, '--yes')).toMatchObject({ status: 'cancel' });
});
