/** Cards, figures, badges, meters, tabs. */
import type { ComponentChildren, VNode } from 'preact';
import { NONE } from './number.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'plain';

interface CardProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Card({ title, note, actions, class: name = '', children }: CardProps): VNode {
  return (
    <section class={`card ${name}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {note === undefined ? null : <span class="note">{note}</span>}
        {actions === undefined ? null : <span class="push">{actions}</span>}
      </header>
      {children}
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly unit?: string;
  readonly note?: ComponentChildren;
  readonly tone?: 'gain' | 'lost' | 'bad' | 'warn' | '';
  /** Stands beside and is no headline. */
  readonly quiet?: boolean;
}

export function Figure({ name, value, unit, note, tone = '', quiet = false }: FigureProps): VNode {
  return (
    <div class={`figure ${quiet ? 'quiet' : ''}`}>
      <dt>{name}</dt>
      <dd class={tone}>
        {value}
        {unit === undefined || value === NONE ? null : <span class="unit">{unit}</span>}
      </dd>
      {note === undefined ? null : <dd class="note">{note}</dd>}
    </div>
  );
}

export function toneOf(value: number | null | undefined): 'gain' | 'lost' | '' {
  if (value === null || value === undefined || value === 0) return '';
  return value > 0 ? 'gain' : 'lost';
}

/** A dot beside the word has another shape for each tone. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}): VNode {
  const shape = { ok: 'ok', warn: 'wait', bad: 'off', plain: '' }[tone];
  return (
    <span class={`badge ${tone}`} title={title}>
      {tone === 'plain' ? null : <span class={`dot ${shape}`} />}
      {children}
    </span>
  );
}

export function Side({
  side,
  children,
}: {
  readonly side: 'buy' | 'sell';
  readonly children?: ComponentChildren;
}): VNode {
  return <span class={`side ${side}`}>{children ?? side}</span>;
}

/** How much of a limit is used. */
export function Meter({ share, name }: { readonly share: number; readonly name: string }): VNode {
  const part = Math.max(0, Math.min(1, share));
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : '';
  return (
    <span
      class="meter"
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
    >
      <i class={tone} style={{ width: `${part * 100}%` }} />
    </span>
  );
}

interface TabsProps<Id extends string> {
  readonly name: string;
  readonly tabs: readonly { readonly id: Id; readonly text: string; readonly count?: number }[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

export function Tabs<Id extends string>({ name, tabs, selected, onSelect }: TabsProps<Id>): VNode {
  const step = (event: KeyboardEvent): void => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way === undefined) return;
    const index = tabs.findIndex(({ id }) => id === selected);
    const next = tabs[(index + way + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    (event.currentTarget as HTMLElement).querySelectorAll('button')[tabs.indexOf(next)]?.focus();
  };
  return (
    <div class="segments" role="tablist" aria-label={name} onKeyDown={step}>
      {tabs.map(({ id, text, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {text}
          {count === undefined ? null : <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}

export function Choice<Id extends string>({ name, tabs, selected, onSelect }: TabsProps<Id>): VNode {
  return (
    <div class="segments" role="group" aria-label={name}>
      {tabs.map(({ id, text }) => (
        <button key={id} type="button" aria-pressed={id === selected} onClick={() => onSelect(id)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function Pairs({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="pairs">
      {rows.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}
