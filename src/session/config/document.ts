/** The YAML file. `${NAME}` reads the environment (config.md); errors at such a path mask its value. */
import { readFileSync } from 'node:fs';
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { messageOf } from '../../model/errors.ts';
import { sessionErrors } from '../errors.ts';
import { plainYaml, YAML_CHARS_MAX } from './plain-yaml.ts';

export type ConfigPath = readonly (string | number)[];

export interface ConfigDocument {
  readonly file: string;
  readonly value: unknown;
  /** 1-based; of the path or its nearest parent. */
  lineOf(path: ConfigPath): number | undefined;
  has(path: ConfigPath): boolean;
  readonly fromEnvironment: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

function startOf(document: Document, path: ConfigPath): number | undefined {
  const parent = document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  const node = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))?.key
    : document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function lineOf(document: Document, lines: LineCounter, path: ConfigPath): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const start = startOf(document, path.slice(0, length));
    if (start !== undefined) return lines.linePos(start).line;
  }
  return undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

class Substitution {
  readonly touched = new Set<string>();
  readonly variables = new Set<string>();
  readonly #environment: Environment;
  readonly #missing: (name: string, path: ConfigPath) => void;

  constructor(environment: Environment, missing: (name: string, path: ConfigPath) => void) {
    this.#environment = environment;
    this.#missing = missing;
  }

  apply(value: unknown, path: ConfigPath): unknown {
    if (typeof value === 'string') return this.#text(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.apply(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.apply(item, [...path, key])]));
  }

  #text(value: string, path: ConfigPath): string {
    return value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = this.#environment[name];
      if (found === undefined) this.#missing(name, path);
      this.touched.add(path.join('.'));
      this.variables.add(name);
      return found ?? '';
    });
  }
}

/** `isWanted`: in other parts a variable may be missing. */
export function readConfigDocument(
  file: string,
  environment: Environment,
  isWanted: (part: string) => boolean = () => true,
): ConfigDocument {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw sessionErrors.make('config_not_found', `cannot read ${file}: ${messageOf(thrown)}`, { file });
  }
  if (text.length > YAML_CHARS_MAX) {
    throw sessionErrors.make('config_syntax', `${file} is longer than ${YAML_CHARS_MAX} characters`, { file });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const [first] = document.errors;
  if (first !== undefined) {
    const { line, col } = lines.linePos(first.pos[0]);
    const isVariable = /[[{].*\$\{/.test(text.split('\n')[line - 1] ?? '');
    const hint = isVariable ? '; a variable inside { } or [ ] is quoted: "${NAME}"' : '';
    throw sessionErrors.make('config_syntax', `${file}:${line}:${col}: ${first.message}${hint}`, { file, line });
  }
  const plain = plainYaml(document);
  if (plain.kind === 'refused') throw sessionErrors.make('config_syntax', `${file}: ${plain.why}`, { file });
  const substitution = new Substitution(environment, (name, path) => {
    if (!isWanted(String(path[0]))) return;
    const line = lineOf(document, lines, path);
    throw sessionErrors.make(
      'config_variable',
      `${file}:${line ?? 1}: ${path.join('.')} reads \${${name}}, which is not set`,
      {
        file,
        line,
        variable: name,
      },
    );
  });
  return {
    file,
    value: substitution.apply(plain.value ?? {}, []),
    lineOf: (path) => lineOf(document, lines, path),
    has: (path) => document.hasIn(path),
    fromEnvironment: substitution.touched,
    variables: substitution.variables,
  };
}
