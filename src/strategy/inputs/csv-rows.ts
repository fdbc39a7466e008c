/** A CSV text as rows by column name (RFC 4180): quotes, doubled quotes and line breaks in quotes; empty lines are skipped. */

export type CsvRow = Readonly<Record<string, string>>;

/** The fields of one record and the line that it begins on, from 1. */
interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

function* recordsOf(text: string): Generator<CsvRecord> {
  let fields: string[] = [];
  let field = '';
  let isQuoted = false;
  let line = 1;
  let begun = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\n') line++;
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[++at];
      else isQuoted = false;
    } else if (char === '"' && field === '') {
      isQuoted = true;
    } else if (char === ',') {
      fields.push(field);
      field = '';
    } else if (char === '\n') {
      if (field !== '' || fields.length > 0) yield { line: begun, fields: [...fields, field] };
      fields = [];
      field = '';
      begun = line;
    } else if (char !== '\r') {
      field += char;
    }
  }
  if (isQuoted) throw new SyntaxError(`line ${begun}: a quote is not closed`);
  if (field !== '' || fields.length > 0) yield { line: begun, fields: [...fields, field] };
}

/** The first record names the columns. Throws `SyntaxError` with the line. */
export function csvRows(text: string): readonly CsvRow[] {
  const [header, ...records] = recordsOf(text.replace(/^\uFEFF/, ''));
  if (header === undefined) throw new SyntaxError('it has no header line');
  const names = header.fields.map((name) => name.trim());
  const double = names.find((name, at) => names.indexOf(name) !== at);
  if (double !== undefined) throw new SyntaxError(`line ${header.line}: two columns are named "${double}"`);
  return records.map(({ line, fields }) => {
    if (fields.length !== names.length)
      throw new SyntaxError(`line ${line}: ${fields.length} fields, the header names ${names.length}`);
    return Object.freeze(Object.fromEntries(names.map((name, at) => [name, fields[at]!])));
  });
}
