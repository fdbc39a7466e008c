/** The bar: where one is, whether what is shown is live, the time, the scheme. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fleet, fleetError } from '../state/fleet.ts';
import { isHelpOpen } from '../state/keys.ts';
import { now } from '../state/now.ts';
import { openSession } from '../state/open-session.ts';
import { href, route } from '../state/route.ts';
import { scheme, switchTheme } from '../state/theme.ts';
import { Icon, Logo } from './icons.tsx';
import { clock, switchZone, zoneName } from './time.ts';

export const SCREENS = [
  { id: 'fleet', text: 'Fleet', ofSession: false },
  { id: 'session', text: 'Session', ofSession: true },
  { id: 'why', text: 'Why', ofSession: true },
  { id: 'travel', text: 'Time travel', ofSession: true },
  { id: 'control', text: 'Control', ofSession: true },
  { id: 'research', text: 'Research', ofSession: false },
  { id: 'recordings', text: 'Recordings', ofSession: false },
  { id: 'settings', text: 'Settings', ofSession: false },
] as const;

/** The session that a screen of sessions shows: the one in the address, else the last open one, else that of this process. */
export function sessionShown(): string | null {
  const { screen, parts } = route.value;
  const isOfSession = SCREENS.some(({ id, ofSession }) => id === screen && ofSession);
  return (
    (isOfSession ? parts[0] : undefined) ??
    openSession.value?.id ??
    fleet.value?.current ??
    fleet.value?.sessions[0]?.id ??
    null
  );
}

export function hrefOf(screen: (typeof SCREENS)[number]): string {
  const session = sessionShown();
  return href(screen.id, screen.ofSession && session !== null ? [session] : []);
}

export function Bar(): VNode {
  const { screen } = route.value;
  const nav = useRef<HTMLElement>(null);
  // On a phone the screens are wider than it.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [screen]);
  return (
    <header class="bar">
      <a class="brand" href={href('fleet')} aria-label="tidewire, to the fleet">
        <Logo />
        <span>tidewire</span>
      </a>
      <nav class="nav" ref={nav} aria-label="Screens">
        {SCREENS.map((each) => (
          <a key={each.id} href={hrefOf(each)} aria-current={each.id === screen ? 'page' : undefined}>
            {each.text}
          </a>
        ))}
      </nav>
      <span class="push" />
      <LinkState />
      <button type="button" class="icon-button wall-clock" title="Switch the time zone (z)" onClick={switchZone}>
        {`${clock(now.value)} ${zoneName(now.value)}`}
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={scheme.value === 'dark' ? 'Light colours' : 'Dark colours'}
        onClick={switchTheme}
      >
        <Icon name={scheme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
      <button type="button" class="icon-button" aria-label="Keys" onClick={() => (isHelpOpen.value = true)}>
        <Icon name="keyboard" />
      </button>
    </header>
  );
}

function LinkState(): VNode {
  const store = openSession.value;
  const link = store?.link.value;
  const isLost = fleetError.value?.status === 0 || link === 'lost';
  const isWaiting = link === 'connecting';
  const text = isLost ? 'lost' : isWaiting ? 'connecting' : link === 'open' ? 'live' : 'connected';
  return (
    <span class="link-state" role="status">
      <span class={`dot ${isLost ? 'off' : isWaiting ? 'wait' : 'ok'}`} />
      {text}
    </span>
  );
}
