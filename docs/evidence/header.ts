/** The lines between the markers in a strategy's header: what was found, and the sentence of `validate`. */
import { cases, type Case } from './cases.ts';
import { madeText, periodText, type Finding, type Findings } from './findings.ts';
import { markets, type MarketName } from './markets.ts';

const BEGIN = '// Evidence (npm run strategies:evidence):';
const END = '// (end of evidence)';
const WIDTH = 118;

function lineOf(finding: Finding): string {
  const { title } = markets[finding.market as MarketName];
  const params = finding.params === '' ? '' : ` with ${finding.params}`;
  return `- ${title}, ${periodText(finding)}${params}: ${madeText(finding)}. ${finding.sentence}`;
}

/** Words in lines of a comment. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '//';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '//  ';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

function evidenceOf({ name, missing }: Case, findings: Findings): string {
  const { sample, real } = findings[name] ?? {};
  const found = [sample, real].filter((each) => each !== undefined).map((each) => wrapped(lineOf(each)));
  const lacking =
    missing === undefined ? [] : [wrapped(`- Not judged${found.length > 0 ? ' further' : ''}: ${missing}.`)];
  return [BEGIN, ...found, ...lacking, END].join('\n');
}

/** The source of a strategy with its evidence. Throws where the markers are missing. */
export function withEvidence(name: string, source: string, findings: Findings): string {
  const known = cases.find((each) => each.name === name);
  const from = source.indexOf(BEGIN);
  const to = source.indexOf(END);
  if (known === undefined || from === -1 || to < from)
    throw new Error(
      `strategies/${name}.ts: it has no case in docs/evidence/cases.ts, or no lines "${BEGIN}" and "${END}"`,
    );
  return source.slice(0, from) + evidenceOf(known, findings) + source.slice(to + END.length);
}
