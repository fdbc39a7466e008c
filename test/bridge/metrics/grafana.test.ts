/** The dashboard for Grafana: it asks for metrics that exist, by labels that they have, and no panel covers another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMeters } from '../../../src/bridge/metrics/meters.ts';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/grafana.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
};
const meters = createMeters({ session: 's', mode: 'paper' });
const known = new Map(
  Object.values(meters).flatMap((meter: object): [string, ReadonlySet<string>][] => {
    const name: unknown = Reflect.get(meter, 'name');
    const labels: unknown = Reflect.get(meter, 'labelNames');
    return typeof name === 'string' && Array.isArray(labels) ? [[name, new Set(['session', 'mode', ...labels])]] : [];
  }),
);

test('bridge/grafana/each query names metrics and labels that exist', () => {
  const exprs = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(exprs.length).toBeGreaterThan(20);
  const wrong = exprs.flatMap((expr) => {
    const [, name = '', matchers = ''] = /(tidewire_[a-z_]+?)(?:_bucket)?\{([^}]*)\}/.exec(expr) ?? [];
    const labels = known.get(name);
    if (labels === undefined) return [`no metric ${name}: ${expr}`];
    const by = /by \(([a-z, ]+)\)/.exec(expr)?.[1]?.split(/, */) ?? [];
    const used = [...by, ...[...matchers.matchAll(/([a-z]+)=/g)].map((match) => match[1] ?? '')];
    return used.filter((label) => label !== 'le' && !labels.has(label)).map((label) => `${name} has no ${label}`);
  });
  expect(wrong).toEqual([]);
});

test('bridge/grafana/every metric of the list is in a panel or in the text', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/remote.md'), 'utf8');
  expect([...known.keys()].filter((name) => !page.includes(name))).toEqual([]);
});

test('bridge/grafana/panels have ids of their own and lie beside each other', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const covers = (one: Panel['gridPos'], other: Panel['gridPos']): boolean =>
    one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
  const pairs = panels.flatMap((one, index) =>
    panels
      .slice(index + 1)
      .filter((other) => covers(one.gridPos, other.gridPos))
      .map((other) => `${one.title} and ${other.title}`),
  );
  expect(pairs).toEqual([]);
});
