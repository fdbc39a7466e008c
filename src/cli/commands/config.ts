/** `tidewire config show|schema|check`. */
import { Command } from 'commander';
import { action, type BuildCommand, type CliIo } from '../command.ts';
import { configSource } from '../config-option.ts';
import { checkStrategies } from '../../session/config/check-strategies.ts';
import { invalidConfig } from '../../session/config/invalid.ts';
import { secretsInFile } from '../../session/config/literal-secrets.ts';
import { configJsonSchema, loadConfig, type LoadedConfig } from '../../session/config/load.ts';
import type { Config } from '../../session/config/schema.ts';
import { unencrypted } from '../../session/connection/certificates.ts';
import { TOKEN_MIN } from '../../bridge/server/tokens.ts';
import { maskedConfig, shownConfig, shownLayers } from '../../session/config/show.ts';
import { table } from '../terminal/table.ts';

interface Options {
  readonly config?: string;
}

function show(io: CliIo): Command {
  return new Command('show')
    .description('print the effective values, masked, each with the layer that set it')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire config show --config config/sandbox.yaml')
    .action(
      action(io, async ({ config }: Options) => {
        const loaded = loadConfig(configSource(io, config));
        const rows = shownConfig(loaded).map(({ path, value, layer }) => [path, JSON.stringify(value), layer]);
        return {
          json: { ...maskedConfig(loaded), layers: shownLayers(loaded) },
          text: table(rows, { head: ['path', 'value', 'from'] }),
        };
      }),
    );
}

function schema(io: CliIo): Command {
  return new Command('schema')
    .description('print the JSON Schema of the configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire config schema > tidewire.schema.json')
    .action(
      action(io, async () => {
        const document = configJsonSchema();
        return { json: document, text: JSON.stringify(document, null, 2) };
      }),
    );
}

/** No dashboard starts with it. Throws `config_invalid`. */
function refuseShortToken(loaded: LoadedConfig): void {
  const { token } = loaded.config.dashboard;
  if (token === 'auto' || token.length >= TOKEN_MIN) return;
  const message = `dashboard.token has ${token.length} characters, ${TOKEN_MIN} are needed`;
  throw invalidConfig([{ path: ['dashboard', 'token'], message }], loaded);
}

/** Paper takes such addresses. */
function refusedLive({ exchange }: Config): readonly string[] {
  const url = unencrypted(exchange);
  return url === undefined ? [] : [`no live session starts with exchange addresses like ${url}: it is not encrypted`];
}

function check(io: CliIo): Command {
  return new Command('check')
    .description('check a configuration file and the strategies that it lists')
    .argument('[file]', 'the file; config/default.yaml by default')
    .option('--config <FILE>', 'the same, as an option')
    .addHelpText('after', '\nExample:\n  npx tidewire config check config/sandbox.yaml')
    .action(
      action(io, async (file: string | undefined, { config }: Options) => {
        const loaded = loadConfig(configSource(io, file ?? config));
        const { config: values, file: path } = loaded;
        refuseShortToken(loaded);
        await checkStrategies(values.strategies, loaded);
        const warnings = [...secretsInFile(loaded), ...refusedLive(values)];
        for (const warning of warnings) io.err(`warn ${warning}\n`);
        return { json: { ok: true, file: path, warnings }, text: `${path ?? 'the defaults'}: ok` };
      }),
    );
}

export const build: BuildCommand = (io) =>
  new Command('config')
    .description('Show, check and describe the configuration.')
    .addCommand(show(io))
    .addCommand(schema(io))
    .addCommand(check(io))
    .addHelpText('after', '\nExample:\n  npx tidewire config show --config config/sandbox.yaml');
