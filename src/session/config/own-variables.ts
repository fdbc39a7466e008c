/** Variables `TIDEWIRE_…` that set no option of the configuration. Any other name that sets none is refused. */
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
