/** Runs a command of this program as a process of its own: code of strategies stays out of the one that speaks to the client. */
import { spawn } from 'node:child_process';
import { z } from 'zod';
import { bridgeErrors } from '../errors.ts';

const OUTPUT_BYTES_MAX = 32 * 2 ** 20;
const KILL_AFTER_MS = 5_000;
/** Research needs no key, and code that an AI client wrote gets none. */
const SECRET = /KEY|SECRET|PASSWORD|TOKEN|JWT|LOGIN|SIGNALS|ALERTS|HEADERS/;

export interface CliProgram {
  /** Program and its first arguments. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const failure = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }) });

/** The document of `--json`. Throws `mcp_run_failed` with what the command says. */
export async function runCli(program: CliProgram, args: readonly string[], signal: AbortSignal): Promise<unknown> {
  const [file, ...first] = program.command;
  const env = Object.fromEntries(Object.entries(program.env).filter(([name]) => !SECRET.test(name)));
  const child = spawn(file, [...first, ...args, '--json'], {
    cwd: program.cwd,
    env: { ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGTERM',
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const { promise, resolve } = Promise.withResolvers<string | number>();
  child.on('error', (error) => resolve(error.message));
  child.on('close', (code, by) => resolve(code ?? by ?? 'nothing'));
  const stop = (): void => {
    const timer = AbortSignal.timeout(KILL_AFTER_MS);
    timer.addEventListener('abort', () => child.kill('SIGKILL'));
  };
  signal.addEventListener('abort', stop);
  const end = await promise;
  signal.removeEventListener('abort', stop);
  const document = documentOf(out());
  if (signal.aborted) throw bridgeErrors.make('mcp_run_failed', 'it was stopped');
  const failed = failure.safeParse(document);
  if (failed.success) {
    const { code, message, hint = '' } = failed.data.error;
    throw bridgeErrors.make('mcp_run_failed', `${code}: ${message} ${hint}`);
  }
  if (document === null) throw bridgeErrors.make('mcp_run_failed', `it ended with ${end}: ${err().slice(-2_000)}`);
  return document;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= OUTPUT_BYTES_MAX) parts.push(part);
  });
  return () => Buffer.concat(parts).toString('utf8');
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
