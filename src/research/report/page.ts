/** A report page with charts. Its policy allows only the inlined scripts and styles, by hash. */
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

/** No template, since a formatter could change the hashed text. */
function block(tag: 'style' | 'script', content: string, attributes = ''): Html {
  return raw(`<${tag}${attributes}>${content}</${tag}>\n`);
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
