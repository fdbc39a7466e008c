/**
 * Prompts on stderr, answers from stdin, only if both are terminals; else a command's input is all of stdin.
 */
import { cliErrors } from '../errors.ts';
import { LineEditor } from './line-editor.ts';
import { printable } from './printable.ts';

export interface Terminal {
  readonly interactive: boolean;
  /** One trimmed line. Throws `prompt_impossible` without a terminal, `not_confirmed` on Ctrl-C. */
  ask(question: string): Promise<string>;
  /** Without echo and untrimmed. */
  askSecret(question: string): Promise<string>;
  /** All of stdin, bounded; not from a terminal. */
  readInput(): Promise<string>;
}

interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const INPUT_CHARACTERS_MAX = 65_536;

class StreamTerminal implements Terminal {
  readonly interactive: boolean;
  readonly #input: Input;
  readonly #output: Output;
  readonly #stopped: Promise<unknown>;
  /** Typed before the prompt. */
  #ahead = '';

  constructor(input: Input, output: Output, stopped: Promise<unknown>) {
    this.#stopped = stopped;
    this.#input = input;
    this.#output = output;
    this.interactive = input.isTTY === true && output.isTTY === true;
  }

  async ask(question: string): Promise<string> {
    return (await this.#line(question, true)).trim();
  }

  askSecret(question: string): Promise<string> {
    return this.#line(question, false);
  }

  async readInput(): Promise<string> {
    if (this.#input.isTTY === true) return '';
    let text = '';
    this.#input.setEncoding('utf8');
    for await (const chunk of this.#input) {
      text += String(chunk);
      if (text.length > INPUT_CHARACTERS_MAX) {
        throw cliErrors.make('prompt_answer', `stdin holds more than ${INPUT_CHARACTERS_MAX} characters`);
      }
    }
    return text;
  }

  async #line(question: string, echoes: boolean): Promise<string> {
    if (!this.interactive) {
      throw cliErrors.make('prompt_impossible', `"${question.trim()}" cannot be asked: stdin or stderr is no terminal`);
    }
    const input = this.#input;
    const editor = new LineEditor();
    input.setEncoding('utf8');
    // Before the prompt, so that a fast answer is not echoed.
    input.setRawMode?.(true);
    this.#output.write(printable(question));
    return new Promise((resolve, reject) => {
      let answered = false;
      const over = (): void => {
        answered = true;
        input.off('data', typed);
        input.off('end', interrupted);
        input.setRawMode?.(false);
        input.pause();
        this.#output.write('\n');
      };
      const interrupted = (): void => {
        if (answered) return;
        over();
        reject(cliErrors.make('not_confirmed', 'the question was not answered; nothing was sent'));
      };
      const typed = (chunk: string | Buffer): void => {
        const state = editor.type(String(chunk));
        if (state.kind === 'interrupted') return interrupted();
        if (echoes) this.#output.write(state.echo);
        if (state.kind === 'typing') return;
        this.#ahead = state.rest;
        over();
        resolve(state.line);
      };
      void this.#stopped.then(interrupted);
      input.on('data', typed);
      input.on('end', interrupted);
      const ahead = this.#ahead;
      this.#ahead = '';
      if (ahead !== '') typed(ahead);
      input.resume();
    });
  }
}

/** `stopped` resolves at the process's end and aborts a prompt. */
export function createTerminal(input: Input, output: Output, stopped: Promise<unknown>): Terminal {
  return new StreamTerminal(input, output, stopped);
}
