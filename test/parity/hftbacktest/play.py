"""Plays order scripts through hftbacktest itself; started by run.ts, which compares.

stdin: {"frames": path of `<local_ns> <JSON>` lines, gzip, "entryUs", "responseUs", "endUs", "tick", "lot", "scripts": [[step, ...], ...]} with
steps {"us", "id", "kind": "buy" | "sell" | "cancel", "price", "quantity"}, times on the repaired local clock.
stdout: {"version", "rows", "scripts": [[[id, status, exchange us, price in ticks, quantity, maker], ...], ...]}.
Exchange model NoPartialFillExchange, queue RiskAdverseQueueModel, constant latency, linear asset.
"""
import contextlib
import json
import sys

try:
    import numpy as np
    from numba import njit
    import hftbacktest
    from hftbacktest import BacktestAsset, GTC, HashMapMarketDepthBacktest, LIMIT
    from hftbacktest.data.utils import binancefutures
except ImportError as absent:
    print(f'hftbacktest is absent: {absent}', file=sys.stderr)
    sys.exit(3)


@njit
def play(hbt, times, ids, kinds, prices, quantities, end):
    hbt.elapse(1)
    for i in range(len(times)):
        wait = times[i] - hbt.current_timestamp
        if wait > 0 and hbt.elapse(wait) != 0:
            return False
        if kinds[i] == 1:
            hbt.submit_buy_order(0, ids[i], prices[i], quantities[i], GTC, LIMIT, False)
        elif kinds[i] == -1:
            hbt.submit_sell_order(0, ids[i], prices[i], quantities[i], GTC, LIMIT, False)
        else:
            order = hbt.orders(0).get(ids[i])
            if order is not None and order.cancellable:
                hbt.cancel(0, ids[i], False)
    hbt.elapse(end - hbt.current_timestamp)
    return True


@njit
def outcome(hbt, order_id):
    order = hbt.orders(0).get(order_id)
    if order is None:
        return 255, 0, 0, 0.0, False
    maker = order.arr[0].maker
    return order.status, order.exch_timestamp, order.exec_price_tick, order.qty, maker


def run(data, told, steps, tick, lot):
    asset = (
        BacktestAsset()
        .data([data])
        .linear_asset(1.0)
        .constant_order_latency(told['entryUs'] * 1000, told['responseUs'] * 1000)
        .risk_adverse_queue_model()
        .no_partial_fill_exchange()
        .trading_value_fee_model(0.0, 0.0)
        .tick_size(tick)
        .lot_size(lot)
    )
    hbt = HashMapMarketDepthBacktest([asset])
    kinds = {'buy': 1, 'sell': -1, 'cancel': 0}
    done = play(
        hbt,
        np.array([step['us'] * 1000 for step in steps], np.int64),
        np.array([step['id'] for step in steps], np.uint64),
        np.array([kinds[step['kind']] for step in steps], np.int64),
        np.array([step['price'] for step in steps], np.float64),
        np.array([step['quantity'] for step in steps], np.float64),
        told['endUs'] * 1000,
    )
    if not done:
        raise RuntimeError('the data ended before the script')
    placed = sorted({step['id'] for step in steps if step['kind'] != 'cancel'})
    rows = [[order_id, *outcome(hbt, order_id)] for order_id in placed]
    hbt.close()
    return [[i, int(status), int(ns) // 1000, int(ticks), float(quantity), bool(maker)] for i, status, ns, ticks, quantity, maker in rows]


def main():
    told = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        data = binancefutures.convert(told['frames'], base_latency=1_000_000, buffer_size=2_000_000)
        scripts = [run(data, told, steps, told['tick'], told['lot']) for steps in told['scripts']]
    print(json.dumps({'version': hftbacktest.__version__, 'rows': len(data), 'scripts': scripts}))


main()
