/**
 * `cancel` of a dead session advised to start it again, which lets its strategies trade first. Of an unknown ref it said that
 * nothing works where only no ref was like it, and to give one of the refs that it had not named.
 */
import { expect, it } from 'vitest';
import { place } from '../../src/index.ts';
import { isTidewireError } from '../../src/model/errors.ts';
import { cancelTarget } from '../../src/operations/cancel/target.ts';
import { errorOf, freshFolder, run } from '../e2e/cli.ts';
import { programRig, submit, SYMBOL } from '../programs/program-rig.ts';

it.each([['cancel', 'far'], ['cancel-all']])('%s without a running session names panic', async (...argv) => {
  const ended = await run([...argv, '--json'], { cwd: freshFolder() });
  const { code, hint } = errorOf(ended);
  expect([ended.code, code]).toEqual([2, 'session_not_running']);
  expect(hint).toMatch(/^`tidewire panic` cancels every order/);
});

function failure(rig: ReturnType<typeof programRig>): { readonly message: string; readonly remedy: string } {
  try {
    cancelTarget(rig.executor.state, ['maker'], 'something-else', 's1');
  } catch (thrown) {
    if (isTidewireError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('it was found');
}

it('cancel of an unknown ref names what is at work', () => {
  const rig = programRig();
  expect(failure(rig).message).toMatch(/; nothing works there$/);
  for (const ref of ['a', 'b', 'c', 'd'])
    submit(rig, place({ ref, symbol: SYMBOL, side: 'buy', type: 'limit', price: 59_000, quantity: '0.01' }));
  expect(failure(rig).message).toMatch(/; at work there: a, b, c$/);
  expect(failure(rig).remedy).not.toContain('the message names');
});
