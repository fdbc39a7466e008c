/** The files of `init` beside the strategy: manifest, compiler options, configuration, README and what git ignores. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { packageRoot } from '../strategy/loading/native-import.ts';
import type { NewFile } from '../strategy/loading/template-files.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const ROOT = resolve(packageRoot);

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** How `project` gets this very package: as the folder that installed it does, else from this folder. */
function ownSource(project: string, { version }: Manifest): string {
  const modules = dirname(ROOT);
  if (basename(modules) !== 'node_modules') return `file:${posix(relative(project, ROOT))}`;
  const installer = dirname(modules);
  const asked = askedBy(installer) ?? version;
  if (!asked.startsWith('file:')) return asked;
  return `file:${posix(relative(project, resolve(installer, asked.slice('file:'.length))))}`;
}

function askedBy(installer: string): string | undefined {
  try {
    const { dependencies, devDependencies } = manifestIn(installer);
    return dependencies?.['tidewire'] ?? devDependencies?.['tidewire'];
  } catch {
    // Unpacked by hand, so not requested.
    return undefined;
  }
}

function posix(path: string): string {
  return path.split(sep).join('/');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function manifestOf(project: string, commands: readonly string[], strategyFiles: readonly string[]): string {
  const own = manifestIn(ROOT);
  const { dependencies = {}, devDependencies = {}, peerDependencies = {} } = own;
  const versionOf = (name: string): string =>
    (devDependencies[name] ?? dependencies[name] ?? peerDependencies[name] ?? '*').replace(/^npm:.*@/, '');
  const needsModel = strategyFiles.some((file) => file.endsWith('.onnx'));
  const called = (verb: string): Record<string, string> => {
    const found = commands.find((command) => command.startsWith(`npx tidewire ${verb} `));
    return found === undefined ? {} : { [verb]: found.replace('npx ', '') };
  };
  const name = basename(project)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return json({
    name: name === '' || name === 'tidewire' ? 'my-bot' : name,
    private: true,
    type: 'module',
    scripts: { test: 'vitest run', typecheck: 'tsc --noEmit', ...called('backtest'), ...called('paper') },
    dependencies: {
      rxjs: versionOf('rxjs'),
      tidewire: ownSource(project, own),
      ...(needsModel ? { 'onnxruntime-node': versionOf('onnxruntime-node') } : {}),
    },
    devDependencies: {
      '@types/node': versionOf('@types/node'),
      typescript: versionOf('@typescript/native'),
      vitest: versionOf('vitest'),
    },
  });
}

const TSCONFIG = json({
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['strategies'],
});

const CONFIG = `# What every command without --config uses: the embedded sandbox exchange and a simulated account.
# \`npx tidewire config schema\` describes every key, \`npx tidewire config show\` what is in force.
exchange:
  baseUrl: sandbox            # or the three addresses of the exchange
  gatewayUrl: sandbox
  wsUrl: sandbox

account:
  reporting: USDT
  start: {}                   # empty: 100,000 of the quote currency, and base worth as much

risk:
  maxOrderValue: "10000"      # in the reporting currency; no order is larger

journal: { dir: data/sessions, durability: full }
`;

/** Journals, recordings and the key file are below \`data\`. */
const IGNORED = `node_modules/
data/
.env
.env.*
*.key
*.pem
`;

function readmeOf(project: string, strategy: string, commands: readonly string[]): string {
  return `# ${basename(project)}

A trading bot on tidewire. The strategy is \`${strategy}\`: edit it, test it, run it.

\`\`\`sh
npm install
\`\`\`

Then, each on its own:

\`\`\`sh
${commands.join('\n')}
\`\`\`

The first runs the scenario test of the strategy; the next show what it does over the sample data and on the live
streams of the embedded sandbox exchange, with a simulated account and no key. \`npx tsc --noEmit\` checks the types.

## Your exchange

Set the three addresses under \`exchange\` in \`config/default.yaml\`. \`paper\` then trades on its streams, still simulated.
Real orders need a key, and both flags:

\`\`\`sh
npx tidewire keys store                                 # asks for the key, encrypts it below data/keys
npx tidewire probe                                      # what this exchange does where its documents say nothing
npx tidewire doctor                                     # checks machine, configuration and key
npx tidewire run ${strategy} --live --confirm LOGIN
\`\`\`

A key never belongs into a file of this folder that git sees: \`data/\` and \`.env\` are ignored.

## Where things are

| | |
|---|---|
| \`strategies/\` | strategies, their tests, and the space of their parameters for \`sweep\` |
| \`config/default.yaml\` | exchange, account, limits |
| \`data/\` | sessions with their journals, recordings, the trial ledger; not in git |
| \`node_modules/tidewire/docs/\` | the manual; \`strategies/\` beside it is a library to copy from |
`;
}

/** `strategyFiles`: relative to the project, the strategy first. `commands`: what to run first. */
export function projectFiles(
  project: string,
  strategyFiles: readonly string[],
  commands: readonly string[],
): readonly NewFile[] {
  const [strategy = ''] = strategyFiles;
  return [
    { name: 'package.json', content: manifestOf(project, commands, strategyFiles) },
    { name: 'tsconfig.json', content: TSCONFIG },
    { name: '.gitignore', content: IGNORED },
    { name: 'README.md', content: readmeOf(project, strategy, commands) },
    { name: 'config/default.yaml', content: CONFIG },
  ];
}
