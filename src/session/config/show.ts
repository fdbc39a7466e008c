/** The effective configuration for people, secrets masked. */
import type { LoadedConfig } from './load.ts';
import { alertSecrets } from '../alerts/options.ts';
import { bridgeSecrets } from './bridge-options.ts';
import { masked } from './mask.ts';

export interface ShownValue {
  readonly path: string;
  readonly value: unknown;
  readonly layer: string;
}

function isLeaf(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0;
}

function layerOf(loaded: LoadedConfig, path: string): string {
  for (let dotted = path; dotted !== ''; dotted = dotted.slice(0, Math.max(0, dotted.lastIndexOf('.')))) {
    const layer = loaded.layers.get(dotted);
    if (layer !== undefined) return layer;
  }
  return 'default';
}

/** Values from the environment and secrets of alerts, signals and metrics, which a support bundle must not hold. */
export function hiddenValues(loaded: LoadedConfig): readonly string[] {
  const fromEnvironment = [...loaded.secret].flatMap((path) => {
    let value: unknown = loaded.config;
    for (const key of path.split('.'))
      value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
    return typeof value === 'string' ? [value] : [];
  });
  const { alerts, signals, metrics } = loaded.config;
  return [...fromEnvironment, ...alertSecrets(alerts), ...bridgeSecrets(signals, metrics)];
}

function walk(loaded: LoadedConfig, value: unknown, path: string, out: ShownValue[]): void {
  if (isLeaf(value)) {
    out.push({ path, value: masked(value, loaded.secret, path), layer: layerOf(loaded, path) });
    return;
  }
  for (const [key, child] of Object.entries(value as object))
    walk(loaded, child, path === '' ? key : `${path}.${key}`, out);
}

export function shownConfig(loaded: LoadedConfig): readonly ShownValue[] {
  const out: ShownValue[] = [];
  walk(loaded, loaded.config, '', out);
  return out;
}

/** Dotted path → the winning layer. */
export function shownLayers(loaded: LoadedConfig): Readonly<Record<string, string>> {
  return Object.fromEntries(shownConfig(loaded).map(({ path, layer }) => [path, layer]));
}

export function maskedConfig(loaded: LoadedConfig): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, value } of shownConfig(loaded)) {
    const keys = path.split('.');
    let node = root;
    for (const key of keys.slice(0, -1)) node = (node[key] ??= {}) as Record<string, unknown>;
    node[keys.at(-1) ?? path] = value;
  }
  return root;
}
