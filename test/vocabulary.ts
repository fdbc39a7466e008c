/**
 * The vocabulary of comments and messages: terms that a reader from outside cannot follow, each with the field's term.
 * Only prose counts: comments, and string literals with a space. Code in backticks and names of files do not.
 */
import ts from 'typescript';

/** Word → what to write. */
const TERMS: readonly (readonly [pattern: string, write: string])[] = [
  ['tells?|telling|told', 'publish, report, notify, show; distinguish'],
  ['fates?', 'outcome'],
  ['of ours', 'own'],
  ['(?:of|by) others', 'external'],
  ['of nobody', 'external'],
  ['tak(?:e|es|en|ing) back|took back', 'withdraw, supersede'],
  ['desks?', 'handler, planner, service'],
  ['silent', 'stale'],
  ['ahead-dated', 'clock skew'],
  ['our mark', 'our prefix'],
  ['called over', 'reported over'],
  ['goes on|going on|went on', 'continue, advance'],
];

/** Rooms in which a poll result is never a reading, and an outcome is never proved. */
const KERNEL = /^src\/(spine|execution|reconciler|risk|treasury|programs)\//;
const KERNEL_TERMS: typeof TERMS = [
  ['readings?', 'snapshot, poll, poll result'],
  ['proved?|proves', 'confirm, resolve'],
];

/** Values of journals of older builds, sentences of the exchange's documents, and such where the word has its plain meaning. */
const EXCEPTIONS: readonly string[] = [
  'trade of others',
  'liquidation of others',
  'liquidation of ours',
  'so a subscriber can tell that it missed some',
  'chosen by the user to tell keys apart',
  'A key file or address book can be read or changed by others, so it cannot be trusted.',
  'the synthetic market does not trade in the skipped time and goes on from the same book',
];

const matcher = (terms: typeof TERMS): RegExp =>
  new RegExp(`(?<![\\w/.#-])(?:${terms.map(([pattern]) => pattern).join('|')})(?![\\w-]|\\.ts)`, 'i');
const ANYWHERE = matcher(TERMS);
const IN_KERNEL = matcher([...TERMS, ...KERNEL_TERMS]);

/** `file: word in "sentence"` for each forbidden word. */
export function foreignWords(file: string, source: string): readonly string[] {
  const forbidden = KERNEL.test(file) ? IN_KERNEL : ANYWHERE;
  return proseOf(source).flatMap((text) => {
    const bare = EXCEPTIONS.reduce((left, exception) => left.replace(exception, ''), text).replaceAll(/`[^`]*`/g, '');
    const found = forbidden.exec(bare);
    return found === null ? [] : [`${file}: "${found[0]}" in "${text.slice(0, 120)}"`];
  });
}

function proseOf(source: string): readonly string[] {
  const prose = new Map<number, string>();
  const tree = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const addComments = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? [])
      prose.set(pos, source.slice(pos, end).replaceAll(/\s*\n\s*(\*|\/\/)? ?/g, ' '));
  };
  const visit = (node: ts.Node): void => {
    const start = node.getFullStart();
    addComments(ts.getLeadingCommentRanges(source, start));
    addComments(ts.getTrailingCommentRanges(source, start));
    addComments(ts.getTrailingCommentRanges(source, node.end));
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text =
      ts.isStringLiteralLike(node) || ts.isTemplateMiddle(node) || ts.isTemplateHead(node) || ts.isTemplateTail(node);
    if (text && node.text.includes(' ')) prose.set(node.pos, node.text.replaceAll(/\s+/g, ' '));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...prose.values()];
}
