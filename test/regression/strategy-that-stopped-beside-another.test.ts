/**
 * A strategy that threw beside another one stopped in silence: no alarm, no page, and `status` said "running" alone. The
 * alarm is in the journal and at the sinks, and `status` names the strategy and why, until a later start.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { callCli } from '../cli/call-cli.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf, strategyFile } from '../e2e/cli.ts';
import { sources } from '../e2e/strategies.ts';

interface Status {
  readonly sessions: readonly {
    readonly state: string;
    /** Of one whose journal is made just now there is none. */
    readonly stopped?: Readonly<Record<string, string>>;
  }[];
}

it('rings, pages, and status names it', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  writeFileSync(join(customer.cwd, 'throws.ts'), sources.throws);
  const more = { strategies: [{ file: strategyFile('spread-maker') }, { file: 'throws.ts' }] };
  const alerts = [{ kind: 'file', path: 'alerts.jsonl' }];
  appendFileSync(
    join(customer.cwd, 'c.yaml'),
    Object.entries({ ...more, alerts })
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join(''),
  );
  const bot = customer.begin(['paper']);
  const { state, stopped } = await bot.during('the stop in status', async () => {
    const { code, stdout } = await customer.call(['status']);
    const [session] = code === 0 ? (JSON.parse(stdout) as Status).sessions : [];
    return session?.stopped?.['throws'] === undefined ? undefined : session;
  });
  const why = expect.stringContaining('throws: out of ideas at throws.ts:');
  expect([state, stopped]).toEqual(['running', { throws: why }]);
  const { stdout: shown } = await callCli(['status', '--config', 'c.yaml'], customer.cwd);
  expect(shown).toMatch(/ {2}running throws stopped by an error {2}[^]*\n\nSTOPPED: throws: out of ideas at /);
  const page = await bot.during('the page', () =>
    readFileSync(join(customer.cwd, 'alerts.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly topic: string; readonly code: string; readonly text: string })
      .find(({ code }) => code === 'strategy_stopped'),
  );
  expect(page).toMatchObject({ topic: 'page', text: why, action: expect.stringContaining('Other strategies go on') });
  await bot.signal('SIGINT');
  const { warnings } = documentOf<{ readonly warnings: readonly string[] }>(await bot.ended);
  expect(warnings.filter((text) => text.includes('out of ideas'))).toHaveLength(1);
});
