/** A self-contained HTML page without scripts, for searches and validations. */
import { createHash } from 'node:crypto';
import { reportStyles } from './assets.ts';
import { html, raw, type Html } from './html.ts';

export function staticDocument(title: string, body: Html): string {
  const styles = reportStyles();
  const hash = createHash('sha256').update(styles).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${raw(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${raw(`<style>${styles}</style>\n`)}
      </head>
      <body>
        ${body}
        <footer>
          <p>
            Made by tidewire. Definitions of every number: docs/metrics.md. Nothing here is loaded from the network.
          </p>
        </footer>
      </body>
    </html> `.text;
}

/** The figures at the top of a page. */
export interface Figure {
  readonly label: string;
  readonly value: Html | string;
  readonly note: string;
}

export function figures(rows: readonly Figure[]): Html {
  return html`<section class="kpis" aria-label="Key figures">
    ${rows.map(
      ({ label, value, note }) =>
        html`<div class="kpi">
          <h2>${label}</h2>
          <p class="figure">${value}</p>
          <p class="note">${note}</p>
        </div>`,
    )}
  </section>`;
}

/** A full-width card: heading, sentence, content. */
export function card(heading: string, sentence: string, content: Html): Html {
  return html`<section class="card wide">
    <div class="title">
      <h2>${heading}</h2>
      <p>${sentence}</p>
    </div>
    ${content}
  </section>`;
}
