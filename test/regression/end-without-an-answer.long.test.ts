/**
 * Found from outside: the orderly end of a session was over after 15 s, and then it waited for a list that only the
 * result shows, as long as the exchange held it back. The supervisor cut it short; and where the thread was idle even
 * that ended by SIGKILL, since its first line was held by the pause that the thread had not reached.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { freshFolder, root, start, strategyFile } from '../e2e/cli.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';

it('ends by itself with 1, where the exchange does not answer any more', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const args = ['run', strategyFile('spread-maker'), '--config', config, '--live', '--confirm', exchange.user.login];
  const bot = start(args, { cwd, env: exchange.keys });
  await bot.during('its orders', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
  exchange.process.child.kill('SIGSTOP');
  const ended = await bot.signal('SIGINT');
  exchange.process.child.kill('SIGCONT');
  expect(ended.stderr).toContain('interest on the overdraft could not be read');
  expect(ended.stderr).not.toContain('session_cut_short');
  expect(ended.code, ended.stderr).toBe(1);
});

/** A process that waits for nothing but a timer of a day, and the thread beside it that ends it. */
function writeIdle(cwd: string): string {
  const ends = pathToFileURL(join(root, 'src', 'session', 'supervisor', 'end-at-once.ts')).href;
  const task = { cause: 'late', stoodMs: 0, path: cwd, strategies: [], cancel: null, json: false };
  writeFileSync(
    join(cwd, 'thread.mjs'),
    `import { endAtOnce } from ${JSON.stringify(ends)};\nawait endAtOnce(${JSON.stringify(task)});\n`,
  );
  const main = join(cwd, 'main.mjs');
  writeFileSync(
    main,
    `import { Worker } from 'node:worker_threads';
new Worker(new URL('thread.mjs', import.meta.url));
setTimeout(() => {}, 86_400_000);
`,
  );
  return main;
}

it('is cut short with 1, and no signal, where the main thread is idle', async () => {
  const main = writeIdle(freshFolder());
  const ended = Promise.withResolvers<{ readonly code: unknown; readonly signal: unknown; readonly said: string }>();
  execFile(process.execPath, [main], (thrown, _, said) => {
    ended.resolve({ code: thrown?.code, signal: thrown?.signal ?? null, said });
  });
  expect(await ended.promise).toEqual({
    code: 1,
    signal: null,
    said: expect.stringContaining('stopped, but not ended in time'),
  });
});
