/** `tidewire top`: the sessions of this machine on a whole terminal, for ssh. It reads only. */
import { Command } from 'commander';
import { Fleet } from '../../../bridge/fleet/fleet.ts';
import { remoteLink } from '../../../bridge/fleet/remote-link.ts';
import type { Book } from '../../../bridge/schemas/market.ts';
import type { SessionDetail, SessionSummary } from '../../../bridge/schemas/session.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';
import { action, type BuildCommand } from '../../command.ts';
import { sessionsRoot } from '../../sessions/sessions-root.ts';
import { configParts } from '../../config-option.ts';
import { cliErrors } from '../../errors.ts';
import { colouring } from '../../terminal/table.ts';
import { openFullScreen } from '../../top/full-screen.ts';
import type { TopKey } from '../../top/keys.ts';
import type { TopModel } from '../../top/model.ts';
import { topLines } from '../../top/screen.ts';

interface Options {
  readonly data?: string;
  readonly config?: string;
}

const LOOK_MS = 500;
const DEPTH = 40;
/** The newest; journals of older ones are not read twice a second. */
const SESSIONS_MAX = 20;

const HELP = `
Shows sessions, and of the chosen one equity, gates, positions, programs, orders, alarms; with a dashboard of its own also
its order ladder. ↑ ↓ choose a session, Tab a symbol, ? shows the keys, q leaves.

Example:
  npx tidewire top`;

class Top {
  readonly #fleet: Fleet;
  sessions: readonly SessionSummary[] | null = null;
  chosen: string | null = null;
  detail: SessionDetail | null = null;
  book: Book | null = null;
  showsHelp = false;
  #symbol = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  async look(): Promise<void> {
    const views = this.#fleet.list().slice(0, SESSIONS_MAX);
    const sessions = await Promise.all(views.map((view) => view.summary()));
    this.sessions = sessions;
    this.chosen ??= (sessions.find(({ running }) => running) ?? sessions[0])?.id ?? null;
    const { chosen } = this;
    if (chosen === null) return;
    const view = this.#fleet.find(chosen);
    const detail = await view.detail();
    const symbols = detail.symbols.map(({ symbol }) => symbol);
    const symbol = symbols[this.#symbol % Math.max(1, symbols.length)];
    const link = detail.running ? remoteLink(view.folder) : null;
    const book = symbol === undefined ? null : ((await link?.book?.(symbol, DEPTH)) ?? null);
    // Another one may be chosen by now.
    if (this.chosen === chosen) Object.assign(this, { detail, book });
  }

  model(now: number, root: string): TopModel {
    const { sessions, chosen, detail, book, showsHelp } = this;
    return { now, root, sessions, chosen, detail, book, showsHelp };
  }

  key(key: TopKey): void {
    if (key === 'help') this.showsHelp = !this.showsHelp;
    else if (key === 'symbol') this.#symbol++;
    else if (key === 'up' || key === 'down') this.#move(key === 'up' ? -1 : 1);
  }

  #move(by: number): void {
    const { sessions } = this;
    if (sessions === null) return;
    const at = sessions.findIndex(({ id }) => id === this.chosen);
    const next = sessions[Math.max(0, Math.min(sessions.length - 1, at + by))];
    if (next === undefined || next.id === this.chosen) return;
    Object.assign(this, { chosen: next.id, detail: null, book: null });
    this.#symbol = 0;
  }
}

export const build: BuildCommand = (io) =>
  new Command('top')
    .description('Show the sessions of this machine on the whole terminal.')
    .option('--data <DIR>', 'folder of the sessions, or the one above it; `journal.dir` by default')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', HELP)
    .action(
      action(io, async ({ data, config: file }: Options) => {
        if (!io.isTty || !process.stdin.isTTY)
          throw cliErrors.make('screen_impossible', 'stdin or stdout is no terminal');
        const config = configParts(io, file, ['journal', 'account']);
        const root = sessionsRoot(io, data, config.journal.dir);
        const currency = config.account.reporting;
        const fleet = new Fleet({ root, currency, clock: systemClock, own: null, linkTo: remoteLink });
        await showTop(new Top(fleet), root, colouring(true, io.env), io.interrupted).finally(() => fleet.close());
        return { json: { command: 'top' }, text: '' };
      }),
    );

async function showTop(
  top: Top,
  root: string,
  paint: ReturnType<typeof colouring>,
  interrupted: Promise<unknown>,
): Promise<void> {
  const left = Promise.withResolvers<void>();
  let isBusy = false;
  const draw = (): void =>
    screen.draw(topLines(top.model(systemClock.now(), root), paint, screen.columns, screen.rows));
  const look = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      await top.look();
      draw();
    } catch (thrown) {
      left.reject(thrown);
    } finally {
      isBusy = false;
    }
  };
  const screen = openFullScreen((key) => {
    if (key === 'leave') left.resolve();
    else top.key(key);
    draw();
    void look();
  }, draw);
  const stop = systemClock.every(LOOK_MS, () => void look());
  try {
    draw();
    void look();
    await Promise.race([left.promise, interrupted]);
  } finally {
    stop();
    screen.close();
  }
}
