/** A line editor as pure state, for the terminal's raw mode. Escape sequences are dropped. */

const LENGTH_MAX = 4096;
const END = /[\r\n]/;

export type LineState =
  | { readonly kind: 'typing'; readonly echo: string }
  | { readonly kind: 'done'; readonly echo: string; readonly line: string; readonly rest: string }
  /** Ctrl-C, or Ctrl-D on an empty line. */
  | { readonly kind: 'interrupted' };

export class LineEditor {
  #line = '';
  #escape = '';

  /** `rest` after a finished line belongs to the next question. */
  type(text: string): LineState {
    let echo = '';
    const characters = Array.from(text);
    for (const [index, character] of characters.entries()) {
      if (this.#inEscape(character)) continue;
      if (character === '\u0003' || (character === '\u0004' && this.#line === '')) return { kind: 'interrupted' };
      if (END.test(character)) {
        const after = characters.slice(index + 1).join('');
        const rest = character === '\r' ? after.replace(/^\n/, '') : after;
        return { kind: 'done', echo, line: this.#line, rest };
      }
      echo += this.#put(character);
    }
    return { kind: 'typing', echo };
  }

  #put(character: string): string {
    if (character === '\u007f' || character === '\b') {
      if (this.#line === '') return '';
      this.#line = Array.from(this.#line).slice(0, -1).join('');
      return '\b \b';
    }
    if (character < ' ' || this.#line.length >= LENGTH_MAX) return '';
    this.#line += character;
    return character;
  }

  /** Sequences such as `ESC [ 1 ; 5 C` end with a letter or `~`. */
  #inEscape(character: string): boolean {
    if (this.#escape === '') {
      if (character !== '\u001b') return false;
      this.#escape = character;
      return true;
    }
    const opened = this.#escape.length === 1 && /[[O]/.test(character);
    this.#escape = opened || (this.#escape.length > 1 && !/[A-Za-z~]/.test(character)) ? this.#escape + character : '';
    return true;
  }
}
