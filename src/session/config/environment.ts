/** Variables `TIDEWIRE_…`: those that set an option of the configuration, and those of tidewire itself. */
import { nearest } from '../../model/text/nearest.ts';
import { sessionErrors } from '../errors.ts';

/** They set no option. */
export const OWN_VARIABLES: readonly string[] = [
  // Secrets and the key file.
  'TIDEWIRE_API_KEY',
  'TIDEWIRE_API_SECRET',
  'TIDEWIRE_KEY_FILE',
  'TIDEWIRE_KEY_PASSPHRASE',
  'TIDEWIRE_LOGIN',
  'TIDEWIRE_PASSWORD',
  'TIDEWIRE_2FA_CODE',
  'TIDEWIRE_JWT',
  // `--confirm` in deploy/.
  'TIDEWIRE_ACCOUNT',
  // Tests, benchmarks and pictures of the documentation, which a developer may have exported.
  'TIDEWIRE_BENCH_PYTHON',
  'TIDEWIRE_BROWSER',
  'TIDEWIRE_CHROMIUM',
  'TIDEWIRE_PROPERTY_SEED',
  'TIDEWIRE_SCREENSHOTS',
  'TIDEWIRE_TEST_REPORT',
];

/** `exchange.baseUrl` becomes `TIDEWIRE_EXCHANGE_BASE_URL`. */
export function environmentName(path: readonly string[]): string {
  const words = path.map((part) => part.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase());
  return `TIDEWIRE_${words.join('_')}`;
}

/** A misspelt `TIDEWIRE_…` variable may be a limit. `leaves`: paths of options. Throws `config_invalid`. */
export function refuseUnknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
  leaves: readonly (readonly string[])[],
  readByFile: ReadonlySet<string>,
): void {
  const known = new Set([...leaves.map(environmentName), ...OWN_VARIABLES]);
  const problems = Object.keys(environment)
    .filter((name) => name.startsWith('TIDEWIRE_') && !known.has(name))
    .filter((name) => environment[name] !== undefined && !readByFile.has(name))
    .map((name) => {
      const [near] = nearest(name, known);
      return `the environment has an unknown ${name}${near === undefined ? '' : `; did you mean ${near}?`}`;
    });
  if (problems.length === 0) return;
  throw sessionErrors.make('config_invalid', problems.join('\n  '), {
    problems: problems.map((message) => ({ path: null, line: null, message })),
  });
}
