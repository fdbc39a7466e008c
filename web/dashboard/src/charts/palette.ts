/** Colours of the style sheet, for canvases. Read again when the scheme changes. */
export interface Palette {
  readonly ink: string;
  readonly soft: string;
  readonly muted: string;
  readonly line: string;
  readonly card: string;
  readonly accent: string;
  readonly sell: string;
  readonly amber: string;
  readonly loss: string;
  readonly price: string;
  readonly lossSoft: string;
  readonly candleUp: string;
  readonly candleDown: string;
}

export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function palette(): Palette {
  return {
    ink: css('--ink'),
    soft: css('--soft'),
    muted: css('--muted'),
    line: css('--line'),
    card: css('--card'),
    accent: css('--accent'),
    sell: css('--sell'),
    amber: css('--amber'),
    loss: css('--loss'),
    price: css('--price'),
    lossSoft: css('--loss-soft'),
    candleUp: css('--candle-up'),
    candleDown: css('--candle-down'),
  };
}

export const FONT = '11px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
