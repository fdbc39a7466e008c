/**
 * The page of a report that has charts: markup, a block of data, the styles and scripts inlined. The policy in the page
 * lets only these very scripts and styles run (by hash), so that text of a user could not even if it slipped through
 * the escaping, and nothing is loaded from anywhere.
 */
import { createHash } from 'node:crypto';
import { reportAssets } from './assets.ts';
import { html, jsonBlock, raw, type Html } from './html.ts';

export function chartPage(title: string, body: Html, data: unknown): string {
  const { styles, scripts } = reportAssets();
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashSource).join(' ')}`,
    `style-src ${hashSource(styles)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${raw(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${block('style', styles)}
      </head>
      <body>
        ${body}
        <footer>
          <p>
            Made by tidewire. Definitions of every number: docs/metrics.md. Price chart:
            <a href="https://www.tradingview.com/" rel="noreferrer noopener">TradingView Lightweight Charts™</a>, ©
            TradingView, Inc.; other charts: uPlot. Nothing on this page is loaded from the network.
          </p>
        </footer>
        <noscript><p class="empty">The charts need JavaScript; every number above does not.</p></noscript>
        ${block('script', jsonBlock(data), ' type="application/json" id="data"')}
        ${scripts.map((script) => block('script', script))}
      </body>
    </html> `.text;
}

/** Not a template: a formatter may add blanks to one, and the hash is of the very text. */
function block(tag: 'style' | 'script', content: string, attributes = ''): Html {
  return raw(`<${tag}${attributes}>${content}</${tag}>\n`);
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
