/**
 * The trapped globals of this thread. They are made once and ask at each call who is in charge (`TrapDesk`); where nobody
 * is, they are the real thing. So one that a strategy's file, or a library of its, took to itself when it was imported
 * (`const now = Date.now`) is trapped in every session that comes later.
 *
 *   import of a file ── lay ── lift ──▶ session ── lay ── lift ──▶ session …      the same functions each time
 *
 * In between every global is as it was. They lie as long as somebody has laid them; patches are undone in reverse order.
 */
import type { Clock } from '../../model/ports.ts';
import type { TrapDesk } from './trap-desk.ts';

/** A session in charge. */
export interface SessionDesk extends TrapDesk {
  readonly clock: Clock;
  /** A strategy queued a microtask. */
  owe(): void;
}

/** The imports of files in charge, where there are any. */
export interface ImportsDesk extends TrapDesk {
  readonly isIdle: boolean;
}

interface Patch {
  readonly target: object;
  readonly name: PropertyKey;
  readonly trapped: Pick<PropertyDescriptor, 'value' | 'get'>;
  /** What stood there before any trap. */
  readonly real: PropertyDescriptor | undefined;
}

function descriptorOver({ trapped }: Patch, before: PropertyDescriptor | undefined): PropertyDescriptor {
  const configurable = before?.configurable ?? true;
  if (trapped.get === undefined)
    return { value: trapped.value, writable: true, configurable, enumerable: before?.enumerable ?? true };
  return { get: trapped.get, configurable, enumerable: before?.enumerable ?? false };
}

export class StandingTraps {
  readonly #importing: ImportsDesk;
  readonly #patches: Patch[] = [];
  /** Each answers its patch when somebody has replaced it. */
  readonly #undo: (() => Patch | undefined)[] = [];
  #session: SessionDesk | undefined;
  #laid = 0;

  constructor(importing: ImportsDesk) {
    this.#importing = importing;
  }

  /** Who is in charge; a session before an import. */
  get desk(): TrapDesk | undefined {
    return this.#session ?? (this.#importing.isIdle ? undefined : this.#importing);
  }

  /** In charge of what is no matter of an import. */
  get session(): SessionDesk | undefined {
    return this.#session;
  }

  begin(session: SessionDesk): void {
    this.#session = session;
  }

  end(session: SessionDesk): void {
    if (this.#session === session) this.#session = undefined;
  }

  /** Replaces a property while the traps lie, where it can be replaced. */
  patch(target: object, name: PropertyKey, value: unknown): void {
    this.#add(target, name, { value });
  }

  /** The same for a property that is computed when it is read. */
  patchGetter(target: object, name: PropertyKey, get: (this: unknown) => unknown): void {
    this.#add(target, name, { get });
  }

  #add(target: object, name: PropertyKey, trapped: Patch['trapped']): void {
    this.#patches.push({ target, name, trapped, real: Object.getOwnPropertyDescriptor(target, name) });
  }

  lay(): void {
    if (this.#laid++ > 0) return;
    for (const patch of this.#patches) {
      const { target, name, trapped, real } = patch;
      const now = Object.getOwnPropertyDescriptor(target, name);
      // Who swaps a global for a while (a test runner) may have put ours back after it was lifted.
      const isOurs = now !== undefined && now.value === trapped.value && now.get === trapped.get;
      const before = isOurs ? real : now;
      if (before !== undefined && before.configurable !== true && before.writable !== true) continue;
      if (before === undefined && !Object.isExtensible(target)) continue;
      Object.defineProperty(target, name, descriptorOver(patch, before));
      this.#undo.push(() => {
        const last = Object.getOwnPropertyDescriptor(target, name);
        if (before === undefined) Reflect.deleteProperty(target, name);
        else Object.defineProperty(target, name, before);
        return last?.value === trapped.value && last?.get === trapped.get ? undefined : patch;
      });
    }
  }

  /** The functions that are laid, each with the place where it stands. */
  get functions(): readonly (readonly [trapped: object, target: object, name: PropertyKey])[] {
    return this.#patches.flatMap(({ trapped: { value, get }, target, name }) => {
      const trapped: unknown = value ?? get;
      return typeof trapped === 'function' ? [[trapped, target, name] as const] : [];
    });
  }

  get isLaid(): boolean {
    return this.#laid > 0;
  }

  /** Answers those that somebody has replaced meanwhile. */
  lift(): readonly Pick<Patch, 'target' | 'name'>[] {
    if (--this.#laid > 0) return [];
    const replaced: Patch[] = [];
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) {
      const patch = undo();
      if (patch !== undefined) replaced.push(patch);
    }
    return replaced;
  }
}
