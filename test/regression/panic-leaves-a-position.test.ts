/** `panic` without `--flatten` took the exits of all programs away and said nothing of the position that it left. */
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { holding, panic, panicFolder } from '../e2e/panic-setting.ts';

it('names what has no exit any more until a flatten closed it', () =>
  holding(async ({ world, root, stack }) => {
    await stack.stop();
    const { code, document } = await panic(world, root);
    const held = { strategy: 'taker', symbol: 'BTCUSDT', quantity: '0.04997' };
    expect(document).toMatchObject({ unprotected: [{ session: expect.any(String) as string, ...held }], problems: [] });
    expect(code).toBe(0);
    const { dir, env } = panicFolder(world, root);
    const { stdout } = await callCli(['panic', '--config', 'c.yaml'], dir, { env });
    expect(stdout).toContain(
      'UNPROTECTED: 0.04997 of BTCUSDT of taker have no exit any more\n→ `tidewire panic --flatten`',
    );
    const closed = await panic(world, root, '--flatten');
    expect(closed.document).toMatchObject({ flattened: [{ quantity: 'sell 0.04997' }], unprotected: [] });
    expect((await panic(world, root)).document.unprotected).toEqual([]);
  }));
