/** The command line in this process: the real `runCli`, without the start of a process for each call. */
import { runCli } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';

export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly terminal?: Terminal;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends what runs until it is interrupted. */
  readonly interrupted?: Promise<string>;
  readonly onOut?: (text: string) => void;
}

const NEVER = new Promise<string>(() => {});

/** One call. Without a `--config` it has none. */
export async function callCli(
  argv: readonly string[],
  cwd: string,
  { terminal, env = {}, interrupted = NEVER, onOut }: CallOptions = {},
): Promise<CliEnd> {
  let stdout = '';
  let stderr = '';
  let code = 0;
  await runCli(argv, {
    out: (text) => {
      stdout += text;
      onOut?.(text);
    },
    err: (text) => {
      stderr += text;
    },
    isTty: false,
    ...(terminal === undefined ? {} : { terminal }),
    env,
    cwd,
    interrupted,
    exit: (exit) => {
      code = exit;
    },
  });
  return { code, stdout, stderr };
}
