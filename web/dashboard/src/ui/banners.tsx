/** What must not be overlooked: a lost connection with the age of what is shown, a kill switch that is on. */
import type { VNode } from 'preact';
import { fleet, fleetAt, fleetError } from '../state/fleet.ts';
import { now } from '../state/now.ts';
import { openSession } from '../state/open-session.ts';
import { href } from '../state/route.ts';
import { Icon } from './icons.tsx';
import { length } from './time.ts';

export function Banners(): VNode {
  return (
    <div aria-live="polite">
      <LostBanner />
      <KilledBanner />
    </div>
  );
}

function LostBanner(): VNode | null {
  const store = openSession.value;
  const isStreamLost = store?.link.value === 'lost';
  const isServerLost = fleetError.value !== null && fleetAt.value !== null;
  if (!isStreamLost && !isServerLost) return null;
  const at = (isStreamLost ? store?.heardAt.value : fleetAt.value) ?? null;
  const age = at === null ? null : Math.max(0, now.value - at);
  return (
    <div class="banner bad" role="alert">
      <span class="icon">
        <Icon name="warn" />
      </span>
      <strong>Connection lost.</strong>
      <span>
        {age === null ? 'Nothing was received yet.' : `What you see is ${length(age)} old and may be wrong.`} Trying
        again. The bot itself does not depend on this page.
      </span>
    </div>
  );
}

function KilledBanner(): VNode | null {
  const killed = (fleet.value?.sessions ?? []).filter((session) => session.running && session.killed !== null);
  if (killed.length === 0) return null;
  return (
    <div class="banner bad">
      <span class="icon">
        <Icon name="warn" />
      </span>
      <strong>Kill switch on.</strong>
      <span>
        {killed.map(({ id, killed: reason }) => (
          <a key={id} class="spaced" href={href('control', [id])}>{`${id}: ${reason}`}</a>
        ))}
      </span>
    </div>
  );
}
