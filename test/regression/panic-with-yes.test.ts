/**
 * `panic --flatten --yes`, typed as for every other command that moves money, ended with 2, "unknown option", and
 * cancelled nothing.
 */
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { errorOf, freshFolder } from '../e2e/cli.ts';

it('takes --yes for what it is: nothing to ask about', async () => {
  const { code, stdout, stderr } = await callCli(['panic', '--flatten', '--yes', '--json'], freshFolder(), { env: {} });
  expect(errorOf({ code, signal: null, stdout, stderr }).code).toBe('live_no_exchange');
});
