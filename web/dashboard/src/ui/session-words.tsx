/** The words and colours of a session's state, the same on every screen. */
import type { VNode } from 'preact';
import type { SessionSummary } from '../wire/types.ts';
import { Badge, type Tone } from './parts.tsx';

const TONES: Readonly<Record<SessionSummary['state'], Tone>> = {
  running: 'ok',
  killed: 'bad',
  crashed: 'bad',
  left: 'warn',
  ended: 'plain',
  unreadable: 'bad',
};

export function StateBadge({ state }: Pick<SessionSummary, 'state'>): VNode {
  return <Badge tone={TONES[state]}>{state === 'left' ? 'ended, left something' : state}</Badge>;
}

/** Live money is said aloud. */
export function ModeBadge({ mode }: Pick<SessionSummary, 'mode'>): VNode {
  return mode === 'live' ? <Badge tone="warn">live money</Badge> : <Badge>paper</Badge>;
}

export function StrategyBadge({ tag, state }: SessionSummary['strategies'][number]): VNode {
  const tone: Tone = { running: 'plain', paused: 'warn', stopped: 'plain', latched: 'bad' }[state] as Tone;
  return (
    <Badge tone={tone}>
      {tag}
      {state === 'running' ? '' : `: ${state}`}
    </Badge>
  );
}

/** What keeps new risk away, worst first; null: nothing. */
export function worstOf({
  killed,
  gates,
  strategies,
  unresolved,
}: SessionSummary): { readonly tone: Tone; readonly text: string } | null {
  if (killed !== null) return { tone: 'bad', text: `killed: ${killed}` };
  const latched = strategies.filter(({ state }) => state === 'latched');
  if (latched.length > 0) return { tone: 'bad', text: `latched: ${latched.map(({ tag }) => tag).join(', ')}` };
  const gate = gates[0];
  if (gate !== undefined)
    return { tone: 'warn', text: `${gate.gate}${gate.symbol === '' ? '' : ` of ${gate.symbol}`}: ${gate.message}` };
  if (unresolved > 0) return { tone: 'warn', text: `${unresolved} of unknown outcome` };
  const paused = strategies.filter(({ state }) => state === 'paused');
  if (paused.length > 0) return { tone: 'warn', text: `paused: ${paused.map(({ tag }) => tag).join(', ')}` };
  return null;
}
