/** The page: bar, banners, the screen of the address, dialogs. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { entry, refusal } from './state/auth.ts';
import { fleet } from './state/fleet.ts';
import { isHelpOpen, useKeys } from './state/keys.ts';
import { openTo } from './state/open-session.ts';
import { go, route } from './state/route.ts';
import type { SessionStore } from './state/session-store.ts';
import { switchTheme } from './state/theme.ts';
import type { SessionDetail } from './wire/types.ts';
import { Control } from './screens/control.tsx';
import { Fleet } from './screens/fleet.tsx';
import { Recordings } from './screens/recordings.tsx';
import { Research } from './screens/research/index.tsx';
import { Session } from './screens/session/index.tsx';
import { Settings } from './screens/settings.tsx';
import { Travel } from './screens/travel/index.tsx';
import { Why } from './screens/why.tsx';
import { Banners } from './ui/banners.tsx';
import { Bar, hrefOf, SCREENS, sessionShown } from './ui/bar.tsx';
import { CommandDialogs } from './ui/command-dialogs.tsx';
import { KeyHelp } from './ui/key-help.tsx';
import { Empty, Failed, Loading } from './ui/states.tsx';
import { switchZone } from './ui/time.ts';
import { Toasts } from './ui/toasts.tsx';

type OfSession = (props: { readonly store: SessionStore; readonly detail: SessionDetail }) => VNode;

const OF_SESSION: Readonly<Record<string, OfSession>> = {
  session: Session,
  why: Why,
  travel: Travel,
  control: Control,
};
const OF_MACHINE: Readonly<Record<string, () => VNode>> = {
  fleet: Fleet,
  research: Research,
  recordings: Recordings,
  settings: Settings,
};

export function App(): VNode {
  const { screen } = route.value;
  useKeys([
    ...SCREENS.map((each, index) => ({
      key: String(index + 1),
      about: each.text,
      group: 'Screens',
      run: () => go(hrefOf(each)),
    })),
    { key: '?', about: 'These keys', group: 'Everywhere', run: () => (isHelpOpen.value = true) },
    { key: 't', about: 'Light or dark', group: 'Everywhere', run: switchTheme },
    { key: 'z', about: 'Time zone', group: 'Everywhere', run: switchZone },
    { key: '[', about: 'Session before', group: 'Everywhere', run: () => neighbour(-1) },
    { key: ']', about: 'Next session', group: 'Everywhere', run: () => neighbour(1) },
  ]);
  useEffect(() => {
    const name = SCREENS.find(({ id }) => id === screen)?.text ?? 'Not found';
    document.title = `${name} · tidewire`;
    scrollTo(0, 0);
  }, [screen]);
  return (
    <>
      <Bar />
      <Banners />
      <main id="main" tabIndex={-1} data-screen={screen}>
        <Screen />
      </main>
      <CommandDialogs />
      <KeyHelp />
      <Toasts />
    </>
  );
}

function neighbour(way: 1 | -1): void {
  const sessions = fleet.peek()?.sessions ?? [];
  const at = sessions.findIndex(({ id }) => id === sessionShown());
  const next = sessions[(at + way + sessions.length) % Math.max(1, sessions.length)];
  const screen = SCREENS.find(({ id, ofSession }) => ofSession && id === route.peek().screen) ?? SCREENS[1];
  if (next !== undefined) go(`#/${screen.id}/${encodeURIComponent(next.id)}`);
}

function Screen(): VNode {
  const { screen } = route.value;
  if (entry.value === 'asking') return <Loading what="the dashboard" />;
  if (entry.value === 'out') return <SignedOut />;
  const OfMachine = OF_MACHINE[screen];
  if (OfMachine !== undefined) return <OfMachine />;
  const Of = OF_SESSION[screen];
  if (Of === undefined) return <Empty title="There is no such screen" />;
  const id = sessionShown();
  if (id === null)
    return (
      <Empty title="No session yet">
        <code>npx tidewire paper strategies/spread-maker.ts</code>
      </Empty>
    );
  return <SessionScreen key={id} id={id} of={Of} />;
}

function SessionScreen({ id, of: Of }: { readonly id: string; readonly of: OfSession }): VNode {
  const store = openTo(id);
  const detail = store.detail.value;
  if (detail !== null) return <Of key={id} store={store} detail={detail} />;
  if (store.error.value !== null) return <Failed error={store.error.value} what={`The session ${id}`} />;
  return <Loading what={`the session ${id}`} />;
}

function SignedOut(): VNode {
  return (
    <Empty title={refusal.value === null ? 'Open the link that the terminal printed' : 'This link is not valid here'}>
      {refusal.value === null ? null : <span class="bad">{refusal.value}</span>}
      <span>
        It begins with dashboard, and its end is the token. After it was opened once, this browser is let in again
        without it.
      </span>
      <code>dashboard http://127.0.0.1:8899/#token=…</code>
    </Empty>
  );
}
