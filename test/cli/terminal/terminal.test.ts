/** Asking a person: real streams in the place of the terminal. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CliIo } from '../../../src/cli/command.ts';
import { LineEditor } from '../../../src/cli/terminal/line-editor.ts';
import { confirmPlan } from '../../../src/cli/operations/plan.ts';
import { askedFor, secondFactor } from '../../../src/cli/operations/secrets.ts';
import { createTerminal, type Terminal } from '../../../src/cli/terminal/terminal.ts';

interface Desk {
  readonly terminal: Terminal;
  readonly raw: readonly boolean[];
  readonly type: (text: string) => void;
  readonly end: () => void;
  readonly stop: () => void;
  readonly shown: () => string;
}

function desk({ isTTY = true, stderrIsTTY = true } = {}): Desk {
  const input = new PassThrough();
  const raw: boolean[] = [];
  let shown = '';
  const stopped = Promise.withResolvers<string>();
  let echoing = true;
  const setRawMode = (on: boolean): void => {
    raw.push(on);
    echoing = !on;
  };
  const write = (text: string): void => {
    shown += text;
    if (text.endsWith(': ')) expect(echoing).toBe(false);
  };
  const keyboard = Object.assign(input, { isTTY, setRawMode });
  const screen = { isTTY: stderrIsTTY, write };
  return {
    terminal: createTerminal(keyboard, screen, stopped.promise),
    raw,
    type: (text) => void input.write(text),
    end: () => void input.end(),
    stop: () => stopped.resolve('SIGTERM'),
    shown: () => shown,
  };
}

function ioOf(terminal: Terminal | undefined, env: Record<string, string> = {}): { io: CliIo; errors: () => string } {
  let errors = '';
  const io: CliIo = {
    out: () => {},
    err: (text) => void (errors += text),
    isTty: false,
    ...(terminal === undefined ? {} : { terminal }),
    env,
    cwd: '/',
    interrupted: new Promise(() => {}),
    exit: () => {},
  };
  return { io, errors: () => errors };
}

function error(code: string) {
  return expect.objectContaining({ code });
}

describe('a question', () => {
  it('is echoed, edited and answered by Enter', async () => {
    const { terminal, type, shown, raw } = desk();
    const answer = terminal.ask('Name: ');
    type('alx');
    type('\u007fi\u001b[D\u001b[1;5Cce ');
    type('\r');
    expect(await answer).toBe('alice');
    expect(shown()).toBe('Name: alx\b \bice \n');
    expect(raw).toEqual([true, false]);
  });

  it('for a secret shows nothing of it', async () => {
    const { terminal, type, shown } = desk();
    const answer = terminal.askSecret('Passphrase: ');
    type(' correct horse\u007f\u007fse \n');
    expect(await answer).toBe(' correct horse ');
    expect(shown()).toBe('Passphrase: \n');
  });

  it('takes what was typed ahead for the next one', async () => {
    const { terminal, type } = desk();
    const first = terminal.ask('1: ');
    type('one\r\ntwo\nthree');
    expect(await first).toBe('one');
    expect(await terminal.ask('2: ')).toBe('two');
    const third = terminal.ask('3: ');
    type('!\n');
    expect(await third).toBe('three!');
  });

  it.each([
    ['Ctrl-C', ({ type }: Desk) => type('abc\u0003')],
    ['Ctrl-D', ({ type }: Desk) => type('\u0004')],
    ['the end of stdin', ({ end }: Desk) => end()],
    ['a signal', ({ stop }: Desk) => stop()],
  ])('is not answered after %s', async (_, act) => {
    const opened = desk();
    const answer = opened.terminal.ask('Name: ');
    act(opened);
    await expect(answer).rejects.toThrow(error('not_confirmed'));
    expect(opened.raw).toEqual([true, false]);
  });

  it('is not asked unless stdin and stderr are both a terminal', async () => {
    for (const where of [{ isTTY: false }, { stderrIsTTY: false }]) {
      const { terminal, shown } = desk(where);
      await expect(terminal.ask('Name: ')).rejects.toThrow(error('prompt_impossible'));
      expect(shown()).toBe('');
    }
  });

  it('has an answer of bounded length', () => {
    const editor = new LineEditor();
    editor.type('x'.repeat(10_000));
    expect(editor.type('\n')).toMatchObject({ kind: 'done', line: 'x'.repeat(4096) });
  });
});

describe('stdin that is no terminal', () => {
  it('is read to its end', async () => {
    const { terminal, type, end } = desk({ isTTY: false });
    const text = terminal.readInput();
    type('the ');
    type('code\n');
    end();
    expect(await text).toBe('the code\n');
  });

  it('is not read without bound', async () => {
    const { terminal, type, end } = desk({ isTTY: false });
    const text = terminal.readInput();
    type('x'.repeat(70_000));
    end();
    await expect(text).rejects.toThrow(error('prompt_answer'));
  });
});

describe('a plan', () => {
  const plan = { title: 'withdraw 25 USDT', rows: [['to', 'cold: TXYZ']] as const, warnings: ['cannot be undone'] };

  it.each(['yes\n', 'y\n', 'YES\r'])('is carried out after %j, and shown before', async (answer) => {
    const { terminal, type, shown } = desk();
    const { io, errors } = ioOf(terminal);
    const agreed = confirmPlan(io, plan, {});
    type(answer);
    await agreed;
    expect(errors()).toBe('withdraw 25 USDT:\n  to  cold: TXYZ\n  ! cannot be undone\n');
    expect(shown()).toContain('Do it?');
  });

  it.each(['no\n', '\n', 'yes please\n', 'ye\n', '\u0003'])('is not carried out after %j', async (answer) => {
    const { terminal, type } = desk();
    const agreed = confirmPlan(ioOf(terminal).io, plan, {});
    type(answer);
    await expect(agreed).rejects.toThrow(expect.objectContaining({ code: 'not_confirmed', exit: 3 }));
  });

  it('needs --yes where nobody can be asked, and then is still shown', async () => {
    const alone = ioOf(desk({ isTTY: false }).terminal);
    await expect(confirmPlan(alone.io, plan, {})).rejects.toThrow(error('not_confirmed'));
    await expect(confirmPlan(ioOf(undefined).io, plan, {})).rejects.toThrow(error('not_confirmed'));
    const agreed = ioOf(undefined);
    await confirmPlan(agreed.io, plan, { yes: true });
    expect(agreed.errors()).toContain('withdraw 25 USDT');
  });
});

describe('a secret', () => {
  it('comes from the environment before anybody is asked', async () => {
    const { terminal, shown } = desk();
    const { io } = ioOf(terminal, { TIDEWIRE_PASSWORD: 'hush' });
    expect(await askedFor(io, { name: 'TIDEWIRE_PASSWORD', question: 'Password' })).toBe('hush');
    expect(shown()).toBe('');
  });

  it('names its variable where nobody can be asked', async () => {
    const missing = askedFor(ioOf(undefined).io, { name: 'TIDEWIRE_PASSWORD', question: 'Password' });
    await expect(missing).rejects.toThrow(/TIDEWIRE_PASSWORD is not set/);
  });

  it('that cannot be a 2FA code is not shown back', async () => {
    const { io } = ioOf(undefined, { TIDEWIRE_2FA_CODE: 'hunter2' });
    const wrong = secondFactor(io, 'to log in');
    await expect(wrong).rejects.toThrow(error('prompt_answer'));
    await expect(wrong).rejects.not.toThrow(/hunter2/);
  });
});
