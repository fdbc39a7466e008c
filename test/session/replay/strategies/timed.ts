/** Notes what every time operator of RxJS makes of the best quotes, and holds a position by one of them. */
import * as rx from 'rxjs';
import { defineStrategy, note, target, z, type Action } from 'tidewire';

type Stream = rx.Observable<number>;

const collected = rx.mergeMap((part: Stream) => part.pipe(rx.count()));

/** What each of them makes of the middle of the market. */
const operators: Readonly<Record<string, (mids: Stream) => rx.Observable<unknown>>> = {
  audit: (mids) => mids.pipe(rx.audit(() => rx.timer(130))),
  auditTime: (mids) => mids.pipe(rx.auditTime(110)),
  buffer: (mids) =>
    mids.pipe(
      rx.buffer(rx.interval(170)),
      rx.map((all) => all.length),
    ),
  bufferTime: (mids) =>
    mids.pipe(
      rx.bufferTime(250),
      rx.map((all) => all.length),
    ),
  bufferToggle: (mids) => mids.pipe(rx.bufferToggle(rx.interval(300), () => rx.timer(90))),
  bufferWhen: (mids) =>
    mids.pipe(
      rx.bufferWhen(() => rx.timer(210)),
      rx.map((all) => all.length),
    ),
  concatMapAsync: (mids) =>
    mids.pipe(
      rx.throttleTime(300),
      rx.concatMap(async (mid) => Math.round(await Promise.resolve(mid))),
    ),
  debounce: (mids) => mids.pipe(rx.debounce(() => rx.timer(40))),
  debounceTime: (mids) => mids.pipe(rx.debounceTime(35)),
  delay: (mids) => mids.pipe(rx.delay(75)),
  delayWhen: (mids) => mids.pipe(rx.delayWhen((_, index) => rx.timer((index % 7) * 30))),
  expand: (mids) =>
    mids.pipe(
      rx.take(3),
      rx.expand((mid) => (mid > 1 ? rx.of(mid / 2).pipe(rx.delay(50)) : rx.EMPTY)),
    ),
  groupBy: (mids) =>
    mids.pipe(
      rx.groupBy((mid) => Math.round(mid) % 2, { duration: () => rx.timer(400) }),
      collected,
    ),
  observeAsap: (mids) => mids.pipe(rx.observeOn(rx.asapScheduler)),
  observeAsync: (mids) => mids.pipe(rx.observeOn(rx.asyncScheduler, 20)),
  observeQueue: (mids) => mids.pipe(rx.observeOn(rx.queueScheduler)),
  repeat: (mids) => mids.pipe(rx.take(2), rx.repeat({ delay: 140 })),
  retry: (mids) =>
    mids.pipe(
      rx.map((mid, index) => {
        if (index === 4) throw new RangeError('again');
        return mid;
      }),
      rx.retry({ delay: (_, count) => rx.timer(60 * count) }),
    ),
  sample: (mids) => mids.pipe(rx.sample(rx.interval(190))),
  sampleTime: (mids) => mids.pipe(rx.sampleTime(160)),
  shareReplay: (mids) => {
    const shared = mids.pipe(rx.shareReplay({ windowTime: 150, refCount: true }));
    return rx.merge(
      shared.pipe(rx.ignoreElements()),
      rx.interval(500).pipe(rx.switchMap(() => shared.pipe(rx.take(1)))),
    );
  },
  subscribeOn: (mids) => mids.pipe(rx.subscribeOn(rx.asyncScheduler, 100)),
  throttle: (mids) => mids.pipe(rx.throttle(() => rx.timer(120), { leading: true, trailing: true })),
  throttleTime: (mids) => mids.pipe(rx.throttleTime(140, rx.asyncScheduler, { leading: false, trailing: true })),
  timeInterval: (mids) =>
    mids.pipe(
      rx.timeInterval(),
      rx.map(({ interval }) => interval),
    ),
  timeout: (mids) => mids.pipe(rx.timeout({ each: 90, with: () => rx.of('late') })),
  timer: (mids) => rx.timer(50, 330).pipe(rx.withLatestFrom(mids)),
  timestamp: (mids) =>
    mids.pipe(
      rx.timestamp(),
      rx.map(({ timestamp }) => timestamp),
    ),
  windowTime: (mids) => mids.pipe(rx.windowTime(220), collected),
};

export default defineStrategy({
  name: 'timed',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ params, market }): rx.Observable<Action> {
    const mids = market.top(params.symbol).pipe(rx.map(({ mid }) => mid));
    const notes = Object.entries(operators).map(([name, apply]) =>
      apply(mids).pipe(rx.map((value) => note(name, { value: JSON.stringify(value) }))),
    );
    const trades = mids.pipe(
      rx.bufferTime(700),
      rx.map((seen) => target(params.symbol, { quantity: seen.length % 2 === 0 ? '0.002' : '0' })),
    );
    return rx.merge(...notes, trades);
  },
});
