/** How far a search is: a word in the list, a bar over its map. */
import type { VNode } from 'preact';
import type { SweepProgress } from '../../wire/types.ts';
import { percent, whole } from '../../ui/number.ts';
import { Badge, Meter, type Tone } from '../../ui/parts.tsx';
import { length } from '../../ui/time.ts';

const TONES: Readonly<Record<SweepProgress['state'], Tone>> = {
  running: 'ok',
  interrupted: 'warn',
  'broken off': 'bad',
  ended: 'plain',
};

export function SearchBadge({ of: { state, done, asked } }: { readonly of: SweepProgress }): VNode {
  return <Badge tone={TONES[state]}>{state === 'ended' ? state : `${state} ${whole(done)}/${whole(asked)}`}</Badge>;
}

interface SearchBarProps {
  readonly of: SweepProgress;
  readonly perMinute: number;
}

export function SearchBar({ of, perMinute }: SearchBarProps): VNode {
  const { state, done, asked, startedAt, at } = of;
  const share = asked === 0 ? 0 : done / asked;
  const left = perMinute > 0 ? length(((asked - done) / perMinute) * 60_000) : null;
  const pace = `${whole(perMinute)} a minute${left === null ? '' : `, about ${left} left`}`;
  const advice = 'the same command continues where it was';
  return (
    <div class="search-bar" role="status">
      <Badge tone={TONES[state]}>{state}</Badge>
      <Meter share={share} name="Trials that have ended" />
      <span>{`${whole(done)} of ${whole(asked)} trials, ${percent(share, 0)}`}</span>
      <span class="muted">{state === 'running' ? pace : `after ${length(at - startedAt)}; ${advice}`}</span>
    </div>
  );
}
