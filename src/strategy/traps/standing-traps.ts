/**
 * The trapped globals of this thread, made once. Each call asks the current `TrapHandler`; without one it is real. So a
 * reference kept at import is trapped in later sessions.
 *
 *   import of a file ── lay ── lift ──▶ session ── lay ── lift ──▶ session …      the same functions each time
 *
 * Laying nests; patches are undone in reverse order.
 */
import type { Clock } from '../../model/ports.ts';
import type { TrapHandler } from './trap-handler.ts';

/** A session in charge. */
export interface SessionHandler extends TrapHandler {
  readonly clock: Clock;
  /** A strategy queued a microtask. */
  owe(): void;
}

/** Current imports. */
export interface ImportsHandler extends TrapHandler {
  readonly isIdle: boolean;
}

interface Patch {
  readonly target: object;
  readonly name: PropertyKey;
  readonly trapped: Pick<PropertyDescriptor, 'value' | 'get'>;
  /** The original property. */
  readonly real: PropertyDescriptor | undefined;
}

function descriptorOver({ trapped }: Patch, before: PropertyDescriptor | undefined): PropertyDescriptor {
  const configurable = before?.configurable ?? true;
  if (trapped.get === undefined)
    return { value: trapped.value, writable: true, configurable, enumerable: before?.enumerable ?? true };
  return { get: trapped.get, configurable, enumerable: before?.enumerable ?? false };
}

export class StandingTraps {
  readonly #importing: ImportsHandler;
  readonly #patches: Patch[] = [];
  /** Each returns its patch if someone replaced it. */
  readonly #undo: (() => Patch | undefined)[] = [];
  #session: SessionHandler | undefined;
  #laid = 0;

  constructor(importing: ImportsHandler) {
    this.#importing = importing;
  }

  /** A session takes precedence over an import. */
  get handler(): TrapHandler | undefined {
    return this.#session ?? (this.#importing.isIdle ? undefined : this.#importing);
  }

  /** Session only. */
  get session(): SessionHandler | undefined {
    return this.#session;
  }

  begin(session: SessionHandler): void {
    this.#session = session;
  }

  end(session: SessionHandler): void {
    if (this.#session === session) this.#session = undefined;
  }

  /** Replaces a configurable property while laid. */
  patch(target: object, name: PropertyKey, value: unknown): void {
    this.#add(target, name, { value });
  }

  /** Likewise with a getter. */
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
      // A test runner may have restored ours.
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

  /** Laid functions and their places. */
  get functions(): readonly (readonly [trapped: object, target: object, name: PropertyKey])[] {
    return this.#patches.flatMap(({ trapped: { value, get }, target, name }) => {
      const trapped: unknown = value ?? get;
      return typeof trapped === 'function' ? [[trapped, target, name] as const] : [];
    });
  }

  get isLaid(): boolean {
    return this.#laid > 0;
  }

  /** Returns patches that someone replaced. */
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
