/** Secrets of a command: from the environment, else a prompt, never argv. Never printed or kept here. */
import type { CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';

/** Variables that replace the questions of a login. */
export const secretVariables = {
  login: 'TIDEWIRE_LOGIN',
  password: 'TIDEWIRE_PASSWORD',
  secondFactor: 'TIDEWIRE_2FA_CODE',
  token: 'TIDEWIRE_JWT',
  passphrase: 'TIDEWIRE_KEY_PASSPHRASE',
} as const;

/** Null when unset or empty. */
export function variable(io: CliIo, name: string): string | null {
  const value = io.env[name];
  return value === undefined || value === '' ? null : value;
}

interface Question {
  readonly name: string;
  readonly question: string;
  readonly shown?: boolean;
}

/** Throws `prompt_impossible` when the variable is not set and there is no terminal. */
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

/** `purpose`: what the 2FA code confirms. */
export async function secondFactor(io: CliIo, purpose: string): Promise<string> {
  const question = `2FA code ${purpose}`;
  const code = await askedFor(io, { name: secretVariables.secondFactor, question, shown: true });
  if (SECOND_FACTOR.test(code)) return code;
  throw cliErrors.make('prompt_answer', `${question}: expected 6 to 8 digits, got ${code.length} characters`);
}
