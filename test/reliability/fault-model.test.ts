/** docs/fault-model.md against the simulator: every fault that it draws stands there, in its class, with a test that is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultClassOf } from '../simulation/world/fault-class.ts';
import { faultKinds, faultRows, type FaultKind } from '../simulation/world/fault-plan.ts';

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'docs/fault-model.md'), 'utf8');
const KIND = /`([a-z]+(?:-[a-z]+)*)`/g;

/** The rows of a chapter, cell by cell, without the head. */
function rowsOf(chapter: string): readonly (readonly string[])[] {
  const part = text.split(/^## /m).find((each) => each.startsWith(chapter)) ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

function kindsIn(cell: string): readonly string[] {
  return [...cell.matchAll(KIND)].map(([, kind = '']) => kind);
}

describe('docs/fault-model.md', () => {
  it('has every fault of the simulator, and none that there is not', () => {
    const named = [...rowsOf('A:'), ...rowsOf('B:')].flatMap(([, kinds = '']) => kindsIn(kinds));
    expect([...new Set(named)].toSorted()).toEqual([...faultKinds].toSorted());
  });

  it('has in B what stops by itself, and no such fault in A', () => {
    const halting = faultKinds.filter((kind) => 'halts' in faultRows[kind]);
    expect(halting.length).toBeGreaterThan(5);
    const a = rowsOf('A:').flatMap(([, kinds = '']) => kindsIn(kinds));
    const b = rowsOf('B:').flatMap(([, kinds = '']) => kindsIn(kinds));
    for (const kind of halting) {
      expect(a, kind).not.toContain(kind);
      expect(b, kind).toContain(kind);
    }
  });

  it('names tests that are there', () => {
    const cells = [...rowsOf('A:'), ...rowsOf('B:')].map((row) => row.at(-1) ?? '');
    expect(cells.length).toBeGreaterThan(20);
    for (const cell of cells) expect(existsSync(join(root, /`([^`]+)`/.exec(cell)?.[1] ?? '-')), cell).toBe(true);
  });
});

describe('the class of a world', () => {
  const classOf = (kinds: readonly FaultKind[], wasShared = false): string =>
    faultClassOf(new Map(kinds.map((kind) => [kind, 1])), wasShared);

  it('is A without faults and where each heals', () => {
    expect(classOf([])).toBe('A');
    expect(classOf(['kill', 'answer-lost', 'human-order'])).toBe('A');
    expect(classOf(['ids-forgotten'])).toBe('A');
    expect(classOf(['mark-jump'])).toBe('A');
  });

  it('is B where one stops by itself, or two explain the same', () => {
    expect(classOf(['kill', 'journal-cut'])).toBe('B');
    expect(classOf(['ids-forgotten', 'answer-lost'])).toBe('B');
    expect(classOf(['venue-clock-step', 'human-trade'])).toBe('B');
    expect(classOf(['mark-jump'], true)).toBe('B');
    expect(classOf(['mark-jump', 'human-futures'])).toBe('B');
  });
});
