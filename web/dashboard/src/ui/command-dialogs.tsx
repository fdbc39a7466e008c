/** The two steps of a command: why, and, where risk is added, the code that the server asks for. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { asked, type Asked } from '../state/asking.ts';
import { describe, isUnderWay, order, pending, type Pending } from '../state/commands.ts';
import { now } from '../state/now.ts';
import { Dialog } from './dialog.tsx';
import { length } from './time.ts';

const REASON = 'by hand from the dashboard';

export function CommandDialogs(): VNode | null {
  if (pending.value !== null) return <ConfirmDialog key={pending.value.confirm.code} wanted={pending.value} />;
  if (asked.value !== null) return <ReasonDialog wanted={asked.value} />;
  return null;
}

function ReasonDialog({ wanted }: { readonly wanted: Asked }): VNode {
  const { session, command, title, about, button, isDanger = false } = wanted;
  const [reason, setReason] = useState(REASON);
  const full = { ...command, reason: reason.trim() };
  const isBusy = isUnderWay(session, full);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await order(session, full);
    if (asked.peek() === wanted) asked.value = null;
  };
  return (
    <Dialog title={title} onClose={() => (asked.value = null)}>
      <form onSubmit={(event) => void submit(event)} class="stack">
        <p class="soft">{about}</p>
        <label class="field">
          <span>Reason, for the journal</span>
          <input
            class="input"
            name="reason"
            required
            maxLength={500}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <p class="muted">
          Session <span class="mono">{session}</span>
        </p>
        <div class="actions">
          <button type="button" class="button" onClick={() => (asked.value = null)}>
            Back
          </button>
          <button
            type="submit"
            data-first
            class={`button ${isDanger ? 'danger solid' : 'main'}`}
            disabled={isBusy || reason.trim() === ''}
          >
            {isBusy ? 'Sending …' : button}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function ConfirmDialog({ wanted }: { readonly wanted: Pending }): VNode {
  const { session, command, confirm } = wanted;
  const [code, setCode] = useState('');
  const left = confirm.expiresAt - now.value;
  const full = { ...command, code: code.trim().toUpperCase() };
  const isBusy = isUnderWay(session, full);
  const isRight = full.code === confirm.code.toUpperCase();
  const close = (): void => {
    pending.value = null;
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isRight && (await order(session, full))) close();
  };
  return (
    <Dialog title={`Confirm: ${describe(command)}`} onClose={close}>
      <form onSubmit={(event) => void submit(event)} class="stack">
        <p>{confirm.what}</p>
        <p class="soft">
          This adds risk. Type the code <code class="code">{confirm.code}</code> to confirm it.{' '}
          {left > 0 ? (
            <span class="muted">{`It holds for ${length(left)}.`}</span>
          ) : (
            <strong class="bad">It has expired: begin again.</strong>
          )}
        </p>
        <label class="field">
          <span>Code</span>
          <input
            class="input mono"
            name="code"
            data-first
            autoComplete="off"
            autoCapitalize="characters"
            spellcheck={false}
            maxLength={6}
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Back
          </button>
          <button type="submit" class="button main" disabled={!isRight || isBusy || left <= 0}>
            {isBusy ? 'Sending …' : 'Confirm'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
