/**
 * Found by strangers: `why-not BTCUSDT@yesterday` complained of an option `--at`, which the command does not have. It says
 * what must follow the @.
 */
import { expect, it } from 'vitest';
import { errorOf, freshFolder, run } from '../e2e/cli.ts';

it('why-not/time/says-what-follows-the-at-sign', async () => {
  const ended = await run(['why-not', 'BTCUSDT@yesterday', '--json'], { cwd: freshFolder() });
  expect(ended.code).toBe(2);
  const { code, message } = errorOf(ended);
  expect(code).toBe('bad_option');
  expect(message).toContain('BTCUSDT@yesterday: after the @ a time is needed');
  expect(ended.stderr).not.toContain('--at');
});
