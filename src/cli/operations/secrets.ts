/**
 * Secrets that a command needs: from the environment, else asked on the terminal, never from argv (cli.md). Nothing here
 * prints or keeps what it reads.
 */
import type { CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';

/** Where the answers to the questions of a login may stand instead. */
export const secretVariables = {
  login: 'TIDEWIRE_LOGIN',
  password: 'TIDEWIRE_PASSWORD',
  secondFactor: 'TIDEWIRE_2FA_CODE',
  token: 'TIDEWIRE_JWT',
  passphrase: 'TIDEWIRE_KEY_PASSPHRASE',
} as const;

/** A variable that is set to something. */
export function variable(io: CliIo, name: string): string | null {
  const value = io.env[name];
  return value === undefined || value === '' ? null : value;
}

interface Question {
  readonly name: string;
  readonly question: string;
  /** Echoed while it is typed. */
  readonly shown?: boolean;
}

/** Throws `prompt_impossible` when the variable is not set and nobody can be asked. */
export async function askedFor(io: CliIo, { name, question, shown = false }: Question): Promise<string> {
  const given = variable(io, name);
  if (given !== null) return given;
  const { terminal } = io;
  if (terminal === undefined || !terminal.interactive) {
    throw cliErrors.make('prompt_impossible', `${question}? ${name} is not set and there is no terminal to ask on`, {
      variable: name,
    });
  }
  const answer = shown ? await terminal.ask(`${question}: `) : await terminal.askSecret(`${question}: `);
  if (answer === '') throw cliErrors.make('prompt_answer', `${question}: the answer was empty`);
  return answer;
}

const SECOND_FACTOR = /^\d{6,8}$/;

/** The current 2FA code; `purpose` says what it confirms. */
export async function secondFactor(io: CliIo, purpose: string): Promise<string> {
  const question = `2FA code ${purpose}`;
  const code = await askedFor(io, { name: secretVariables.secondFactor, question, shown: true });
  if (SECOND_FACTOR.test(code)) return code;
  throw cliErrors.make('prompt_answer', `${question}: expected 6 to 8 digits, got ${code.length} characters`);
}
