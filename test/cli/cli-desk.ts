/**
 * A sandbox without a market and the command line against it, in this process: the real `runCli`, the real exchange on a
 * socket, a folder of its own. `cli(who, …)` answers what a shell would see.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { callCli, type CallOptions, type CliEnd } from './call-cli.ts';
import { totp } from '../model-check/signing.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Who = 'alice' | 'bob';

export interface CliDesk {
  readonly running: RunningSandbox;
  readonly folder: string;
  call(who: Who, argv: readonly string[], options?: CallOptions): Promise<CliEnd>;
  /** The document of a call with `--json` (and `--yes`) that must end with 0. */
  json<T = Json>(who: Who, ...argv: readonly string[]): Promise<T>;
  /** Checks exit code and error code of a call with `--json`; answers the details. */
  fails(exit: number, code: string, who: Who, ...argv: readonly string[]): Promise<Json>;
  /** The environment of a login with password and 2FA code. */
  loginOf(who: Who): Record<string, string>;
  fault(path: string, fault: string, more?: Json): Promise<void>;
  clearFaults(): Promise<void>;
  stop(): Promise<void>;
}

export async function openCliDesk(seed: number): Promise<CliDesk> {
  const running = await startSandbox({ clock: systemClock, seed, market: 'none' });
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-cli-'));
  const { restUrl, wsUrl, users } = running;
  writeFileSync(
    join(folder, 'c.yaml'),
    `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${restUrl}\n  wsUrl: ${wsUrl}\n  budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 }\njournal: { dir: data/sessions, durability: normal }\nreconcile: { historyLagMs: 200 }\n`,
  );
  const userOf = (who: Who): RunningSandbox['users'][number] => users.find(({ login }) => login === who)!;
  const call: CliDesk['call'] = (who, argv, options = {}) => {
    const { publicKey, secretKey } = userOf(who).apiKey;
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey, ...options.env };
    return callCli([...argv, '--config', 'c.yaml'], folder, { ...options, env });
  };
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${restUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
  };
  return {
    running,
    folder,
    call,
    async json<T>(who: Who, ...argv: readonly string[]): Promise<T> {
      const { code, stdout, stderr } = await call(who, [...argv, '--json']);
      expect([argv.join(' '), code, code === 0 ? '' : stderr]).toEqual([argv.join(' '), 0, '']);
      expect(stdout.trim().split('\n')).toHaveLength(1);
      return JSON.parse(stdout) as T;
    },
    async fails(exit, code, who, ...argv) {
      const ended = await call(who, [...argv, '--json']);
      const { error } = JSON.parse(ended.stdout) as { error: { code: string; details?: Json } };
      expect([argv.join(' '), ended.code, error.code]).toEqual([argv.join(' '), exit, code]);
      return error.details ?? {};
    },
    loginOf(who) {
      const { login, password, auth2faSecret } = userOf(who);
      const code = totp(auth2faSecret, running.sandbox.now());
      return { TIDEWIRE_LOGIN: login, TIDEWIRE_PASSWORD: password, TIDEWIRE_2FA_CODE: code };
    },
    fault: (path, fault, more = {}) =>
      post('/sandbox/faults', { rules: [{ match: { path }, fault, times: 1, ...more }] }),
    clearFaults: () => post('/sandbox/faults', { rules: [] }),
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Somebody who answers every question the same way. */
export function answering(answer: string): Terminal {
  return {
    interactive: true,
    ask: () => Promise.resolve(answer),
    askSecret: () => Promise.resolve(answer),
    readInput: () => Promise.resolve(''),
  };
}
