/** Errors of values: each names the variable or the line of the file that the value came from. */
import { sessionErrors } from '../errors.ts';
import type { ConfigDocument, ConfigPath } from './document.ts';
import { environmentName } from './environment.ts';
import type { ConfigLayer } from './layer.ts';

export interface ConfigProblem {
  readonly path: ConfigPath;
  readonly message: string;
}

export interface ConfigPlaces {
  readonly layers: ReadonlyMap<string, ConfigLayer>;
  readonly document: Pick<ConfigDocument, 'file' | 'lineOf'> | null;
}

/** `config_invalid`. Values in the messages are masked. */
export function invalidConfig(problems: readonly ConfigProblem[], { layers, document }: ConfigPlaces): Error {
  const rows = problems.map(({ path, message }) => {
    const variable = variableOf(path, layers);
    const line = variable === null ? (document?.lineOf(path) ?? null) : null;
    const inFile = document === null ? null : `${document.file}${line === null ? '' : `:${line}`}`;
    const place = variable ?? inFile;
    return { path: path.join('.'), line, message: `${place === null ? '' : `${place}: `}${message}` };
  });
  return sessionErrors.make('config_invalid', rows.map(({ message }) => message).join('\n  '), { problems: rows });
}

/** The variable that set this value or one above it. */
function variableOf(path: ConfigPath, layers: ConfigPlaces['layers']): string | null {
  for (let length = path.length; length > 0; length--) {
    const above = path.slice(0, length).map(String);
    const layer = layers.get(above.join('.'));
    if (layer !== undefined) return layer === 'environment' ? environmentName(above) : null;
  }
  return null;
}
