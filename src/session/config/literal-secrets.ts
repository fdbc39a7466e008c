/** Secrets that stand in the file itself. The contract of the configuration has them in the environment or the key file. */
import { isLoopback } from '../connection/is-loopback.ts';
import type { ConfigPath } from './document.ts';
import type { LoadedConfig } from './load.ts';

const SECRETS: readonly RegExp[] = [
  /^alerts\.\d+(\.telegram)?\.token$/,
  /^signals\.[^.]+\.secret(Path)?$/,
  /^dashboard\.token$/,
  /^metrics\.otlp\.headers\..*(auth|key|token|secret|password)/i,
];
/** Addresses that hold a secret, unless they are of this machine. */
const ADDRESSES = /^alerts\.\d+(\.ping)?\.url$/;

/** A line for people each. */
export function secretsInFile({ document }: Pick<LoadedConfig, 'document'>): readonly string[] {
  if (document === null) return [];
  const { file, value, fromEnvironment } = document;
  return pathsIn(value, [])
    .filter((path) => !fromEnvironment.has(path.join('.')))
    .map(
      (path) =>
        `${file}:${document.lineOf(path) ?? 1}: ${path.join('.')} is a secret in the file; write \${NAME} there`,
    );
}

function pathsIn(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (typeof value === 'string') return isSecret(path.join('.'), value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    pathsIn(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function isSecret(path: string, value: string): boolean {
  const url = URL.parse(value);
  if (path === 'metrics.otlp.url') return url !== null && `${url.username}${url.password}` !== '';
  if (ADDRESSES.test(path)) return url === null || !isLoopback(value);
  return value !== 'auto' && SECRETS.some((secret) => secret.test(path));
}
