/** All keys that do something now. */
import type { VNode } from 'preact';
import { isHelpOpen, keys } from '../state/keys.ts';
import { Dialog } from './dialog.tsx';

const NAMES: Readonly<Record<string, string>> = { ' ': 'space', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

export function KeyHelp(): VNode | null {
  if (!isHelpOpen.value) return null;
  const groups = Map.groupBy(keys.value, ({ group }) => group);
  return (
    <Dialog title="Keys" isWide onClose={() => (isHelpOpen.value = false)}>
      <div class="keys">
        {[...groups].map(([group, of]) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>
              {of.map(({ key, about }) => (
                <li key={key}>
                  <span>{about}</span>
                  <kbd>{NAMES[key] ?? key}</kbd>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
