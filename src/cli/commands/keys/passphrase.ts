/** Passphrase of a new key file: `TIDEWIRE_KEY_PASSPHRASE`, else typed twice without echo. */
import { checkPassphrase } from '../../../session/key-file/key-file.ts';
import type { CliIo } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { askedFor, secretVariables, variable } from '../../operations/secrets.ts';

/** Throws `key_file_passphrase` when too short, `prompt_answer` when the two differ. */
export async function newPassphrase(io: CliIo): Promise<string> {
  const name = secretVariables.passphrase;
  const passphrase = await askedFor(io, { name, question: 'New passphrase of the key file' });
  checkPassphrase(passphrase);
  if (variable(io, name) !== null) return passphrase;
  const again = await askedFor(io, { name, question: 'The same again' });
  if (again === passphrase) return passphrase;
  throw cliErrors.make('prompt_answer', 'the two passphrases differ; nothing was written');
}
