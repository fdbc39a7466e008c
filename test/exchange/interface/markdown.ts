/** Reads the parts of a Markdown page that are data: tables, numbered lists, sections. */

export interface MarkdownTable {
  /** Headings above it, joined by ` / `, and its number among the tables of that section. */
  readonly place: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function cells(line: string): readonly string[] {
  // An escaped bar belongs to its cell.
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
}

export function tablesOf(markdown: string): readonly MarkdownTable[] {
  const headings: string[] = [];
  const tables: { place: string; header: readonly string[]; rows: (readonly string[])[] }[] = [];
  const lines = markdown.split('\n');
  for (const [index, line] of lines.entries()) {
    const heading = /^(#+) (.+)$/.exec(line);
    if (heading !== null) {
      headings.length = (heading[1]?.length ?? 1) - 1;
      headings.push(heading[2] ?? '');
    }
    if (!line.startsWith('|')) continue;
    if (/^\|[-| ]+\|$/.test(lines[index + 1] ?? '')) {
      const section = headings.filter((each) => each !== undefined).join(' / ');
      const number = tables.filter(({ place }) => place.startsWith(`${section} #`)).length + 1;
      tables.push({ place: `${section} #${number}`, header: cells(line), rows: [] });
    } else if (!/^\|[-| ]+\|$/.test(line)) tables.at(-1)?.rows.push(cells(line));
  }
  return tables;
}

/** The text under a heading, up to the next one of any level. */
export function sectionOf(markdown: string, heading: string): string {
  const lines = markdown.split('\n');
  const at = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));
  if (at < 0) return '';
  const length = lines.slice(at + 1).findIndex((line) => /^#+ /.test(line));
  return lines.slice(at + 1, length < 0 ? undefined : at + 1 + length).join('\n');
}

/** Items of the numbered list in a section. */
export function numberedOf(section: string): readonly string[] {
  return [...section.matchAll(/^\d+\. (.+)$/gm)].map((match) => match[1] ?? '');
}

/** What stands in backticks. */
export function codesOf(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}
