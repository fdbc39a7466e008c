/** A reason that says nothing is refused like one that is missing: it is all that is kept of why a safety was lifted. */
import { expect, it } from 'vitest';
import { callCli } from './call-cli.ts';

const calls = [
  ['journal', 'clear-kill', 'S'],
  ['journal', 'acknowledge', 'S'],
  ['journal', 'approve-build', 'S'],
  ['limits', 'enable', 'S', 'maker'],
  ['money', 'decide', 'ID', '--verdict', 'absent'],
  ['reconcile', '--not-ours', '1'],
  ['plan', '--yes'],
] as const;

it.each(calls.flatMap((argv) => ['', '  \t'].map((reason) => ({ argv, reason }))))(
  'an empty --reason ends with 2: $argv "$reason"',
  async ({ argv, reason }) => {
    const { code, stderr } = await callCli([...argv, '--reason', reason], process.cwd());
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('give the reason in words');
  },
);
