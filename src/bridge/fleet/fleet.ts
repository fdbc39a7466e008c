/** All sessions under a folder, the one of this process first among equals. Unused views of sessions close. */
import { basename, resolve } from 'node:path';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import { findSession, listSessions, type SessionFolder } from '../../session/store/store.ts';
import { bridgeErrors } from '../errors.ts';
import { SessionView } from './session-view.ts';
import type { SessionSummary } from '../schemas/session.ts';
import type { SessionLink } from './session-link.ts';
import { knownOfFolder, unreadableSummary } from './unreadable.ts';

export interface FleetDeps {
  readonly root: string;
  readonly currency: string;
  readonly clock: Clock;
  /** The session of this process, with its link once it can be commanded. */
  readonly own: { readonly folder: SessionFolder; readonly link: () => SessionLink | null } | null;
  /** Link to a session of another process; null: none. */
  readonly linkTo: (folder: SessionFolder) => SessionLink | null;
}

/** Sessions that a list shows. */
const LISTED_MAX = 200;
/** Journals that are held open at a time, beside the own one. */
const OPEN_MAX = 24;

export class Fleet {
  readonly own: SessionView | null;
  readonly #deps: FleetDeps;
  readonly #views = new Map<string, SessionView>();

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    const { own, currency, clock } = deps;
    this.own = own === null ? null : new SessionView({ ...own, currency, clock, isOwn: true });
  }

  get root(): string {
    return this.#deps.root;
  }

  /** Newest first. A folder that cannot be read is passed over. */
  list(): readonly SessionView[] {
    return listSessions(this.#deps.root, () => {})
      .slice(0, LISTED_MAX)
      .map((folder) => this.#viewOf(folder));
  }

  /** As `list`; folders that cannot be read come last, where it is not the own one. `isUnended`: without those that ended in order. */
  async summaries({ isUnended = false } = {}): Promise<readonly SessionSummary[]> {
    const { root, currency } = this.#deps;
    const views: SessionView[] = [];
    const unread: SessionSummary[] = [];
    const folders = listSessions(root, (path, thrown) => {
      if (this.own !== null && basename(path) === this.own.id) views.push(this.own);
      else unread.push(unreadableSummary(path, knownOfFolder(path), currency, messageOf(thrown)));
    });
    const asked = isUnended ? folders.filter(({ record }) => !record.clean) : folders;
    for (const folder of asked.slice(0, LISTED_MAX)) views.push(this.#viewOf(folder));
    return [...(await Promise.all(views.map((view) => view.summary()))), ...unread.slice(0, LISTED_MAX)];
  }

  /** By id, or `current`. Throws `bridge_unknown`, `session_unreadable`. */
  find(id: string): SessionView {
    if (id === 'current') {
      if (this.own !== null) return this.own;
      throw unknown('this server has no session of its own; give the id of one');
    }
    if (id === this.own?.id) return this.own;
    // An id is a name of a folder, never a path.
    if (!/^[\w+.-]{1,200}$/.test(id) || id.startsWith('.')) throw unknown(`no session ${id.slice(0, 80)}`);
    const known = this.#views.get(id);
    if (known !== undefined) return known;
    try {
      return this.#viewOf(findSession(this.#deps.root, resolve(this.#deps.root, id)));
    } catch (thrown) {
      if (isTidewireError(thrown) && thrown.code === 'session_unreadable') throw thrown;
      throw unknown(`no session ${id}`);
    }
  }

  /** Those that are held open. */
  get open(): readonly SessionView[] {
    return [...(this.own === null ? [] : [this.own]), ...this.#views.values()];
  }

  close(): void {
    for (const view of this.open) view.close();
  }

  #viewOf(folder: SessionFolder): SessionView {
    const { id } = folder.record;
    if (id === this.own?.id) return this.own;
    const known = this.#views.get(id);
    if (known !== undefined) {
      this.#views.delete(id);
      this.#views.set(id, known);
      return known;
    }
    const { currency, clock, linkTo } = this.#deps;
    const view = new SessionView({ folder, currency, clock, isOwn: false, link: () => linkTo(view.folder) });
    this.#views.set(id, view);
    if (this.#views.size > OPEN_MAX) this.#letGo();
    return view;
  }

  /** Closes the files of the longest unused ones. They are reopened on demand. */
  #letGo(): void {
    for (const [id, view] of this.#views) {
      if (this.#views.size <= OPEN_MAX) return;
      if (view.isWatched) continue;
      view.close();
      this.#views.delete(id);
    }
  }
}

function unknown(message: string): Error {
  return bridgeErrors.make('bridge_unknown', message, { field: 'id' });
}
