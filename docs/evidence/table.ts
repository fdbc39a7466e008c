/** The page of the library: each strategy with its idea, what it is made of, what it made and the verdict. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programKinds } from '../../src/model/trading/program.ts';
import { cases, type Case } from './cases.ts';
import { madeText, periodText, type Finding, type Findings } from './findings.ts';
import { markets } from './markets.ts';

export const STRATEGIES = join(import.meta.dirname, '../../strategies');

export function sourceOf(name: string): string {
  return readFileSync(join(STRATEGIES, `${name}.ts`), 'utf8');
}

/** The first sentence of the header. */
function ideaOf(source: string): string {
  const lines = source.split('\n');
  const header = lines.slice(0, lines.indexOf('//')).map((line) => line.replace(/^\/\/ ?/, ''));
  return /^.*?\.(?= |$)/s.exec(header.join(' '))?.[0] ?? '';
}

/** Programs that it imports and indicators that it asks for. */
function partsOf(source: string): string {
  const imported = /import \{([^}]*)\} from 'tidewire'/.exec(source)?.[1] ?? '';
  const programs = programKinds.filter((kind) => new RegExp(`\\b${kind}\\b`).test(imported));
  const indicators = [...source.matchAll(/\bindicators\.(\w+)\(/g)].map((match) => match[1] ?? '');
  return [...new Set([...programs, ...indicators])].map((part) => `\`${part}\``).join(' ');
}

function cellOf(finding: Finding | undefined): string {
  return finding === undefined ? '–' : `${madeText(finding)} (${finding.level})`;
}

function pictureOf(name: string): string {
  return existsSync(join(STRATEGIES, 'images', `${name}.svg`)) ? `![${name}](images/${name}.svg)` : '';
}

function rowOf({ name, missing }: Case, findings: Findings): string {
  const source = sourceOf(name);
  const { sample, real } = findings[name] ?? {};
  const verdict = real?.sentence ?? sample?.sentence ?? `Not judged: ${missing}.`;
  const cells = [
    `[${name}](${name}.ts)`,
    ideaOf(source),
    partsOf(source),
    cellOf(sample),
    cellOf(real),
    verdict,
    pictureOf(name),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The markets that findings rest on, with the part that was looked at. */
function marketLines(findings: Findings): readonly string[] {
  const all = Object.values(findings).flatMap(({ sample, real }) => [sample, real]);
  return Object.entries(markets).flatMap(([name, { title }]) => {
    const found = all.find((finding) => finding?.market === name);
    return found === undefined ? [] : [`- ${title}: ${periodText(found)}`];
  });
}

const HEAD = `# The library

Strategies to read and copy, one idea each. The header of each file says where the idea is from, what its parameters are, when it fails, and
what was found.

\`\`\`sh
npx tidewire backtest strategies/grid.ts --data data/sample-bars --without-lockbox --param levels=5
npx tidewire paper strategies/grid.ts --for 60s
npm run strategies:evidence -- --data DIR     # judges all of them anew
\`\`\`

**None of them is known to earn.** Most lose: a taker pays 0.05 % and a maker 0.02 % a fill here, and what is public seldom pays for
that. They show how an idea is written, tested and judged.

The scenarios of all stand in \`test/strategies/\`, to copy too. \`templates/\` is what \`npx tidewire new\` writes; \`models/\` holds the model
of onnx-classifier and the script that trains it.

Net P&L after fees, with the level of the verdict of \`validate\` ([research](../docs/research.md)). The last fifth of all data was left in the lockbox.
All ran in one ledger, so every verdict counts all of them as tries. The picture is of the real data where there are any, else of the sample.
`;

export function libraryPage(findings: Findings): string {
  const known = cases.filter(({ name }) => existsSync(join(STRATEGIES, `${name}.ts`)));
  return [
    HEAD,
    'Periods:',
    '',
    ...marketLines(findings),
    '',
    '| strategy | idea | programs, indicators | sample | real data | verdict | equity |',
    '|---|---|---|---|---|---|---|',
    ...known.map((each) => rowOf(each, findings)),
    '',
  ].join('\n');
}
