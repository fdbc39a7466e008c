/** What a fuzz run counted and what broke. A finding holds the input, so that it becomes a test. */
const FINDINGS_MAX = 20;
const SHOWN = 600;

export interface Finding {
  readonly target: string;
  readonly law: string;
  readonly input: string;
}

export class Findings {
  readonly list: Finding[] = [];
  /** What inputs turned out to be, by `target kind`: a run that never reaches a kind proves nothing about it. */
  readonly kinds = new Map<string, number>();
  total = 0;
  readonly #target: string;

  constructor(target: string) {
    this.#target = target;
  }

  saw(kind: string): void {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  broken(law: string, input: string): void {
    this.total++;
    if (this.list.length < FINDINGS_MAX) this.list.push({ target: this.#target, law, input: input.slice(0, SHOWN) });
  }

  /** Runs one input; a throw is a finding. */
  holds(input: string, look: () => void): void {
    try {
      look();
    } catch (thrown) {
      this.broken(`threw ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`, input);
    }
  }
}

/** The first thing in a decoded value that no decoder may let through: a number that is none. */
export function impossibleIn(value: unknown, depth = 0): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  if (typeof value !== 'object' || value === null || depth > 8) return null;
  for (const inner of Object.values(value)) {
    const found = impossibleIn(inner, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
