/** What is drawn over or under the prices by a function, on the canvas of the chart. */
import type { IPrimitivePaneRenderer, ISeriesPrimitive, SeriesAttachedParameter, Time } from 'lightweight-charts';

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];

export type Draw = (
  context: CanvasRenderingContext2D,
  size: { readonly width: number; readonly height: number },
) => void;

export class Layer implements ISeriesPrimitive<Time> {
  readonly #draw: Draw;
  readonly #zOrder: 'bottom' | 'top';
  #update: (() => void) | undefined;

  constructor(zOrder: 'bottom' | 'top', draw: Draw) {
    this.#zOrder = zOrder;
    this.#draw = draw;
  }

  attached({ requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.#update = requestUpdate;
  }

  /** Draws again in the next frame. */
  refresh(): void {
    this.#update?.();
  }

  paneViews(): ReturnType<NonNullable<ISeriesPrimitive<Time>['paneViews']>> {
    const draw = (target: Target): void =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => this.#draw(context, mediaSize));
    return [{ zOrder: () => this.#zOrder, renderer: () => ({ draw }) }];
  }
}
